// Many tables of a boardgame.io server in a process of its own, both players of each connected, every move sent as soon as it may be; matches stay in memory.
// node boardgame_crowd.cjs TABLES SECONDS   prints moves a second and the server's processor time for a move; boardgame.io is looked up from the working folder.
const { createRequire } = require("node:module");
const { fork } = require("node:child_process");
const here = createRequire(`${process.cwd()}/`);

const game = {
  name: "push",
  setup: () => ({ cells: Array(49).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    push: {
      move: ({ G, playerID }, cell) => {
        G.cells[cell] = playerID;
      },
      client: false,
    },
  },
};

async function serve() {
  const { Server, Origins } = here("boardgame.io/server");
  const running = await Server({ games: [game], origins: [Origins.LOCALHOST] }).run(0);
  process.on("message", () => process.send({ spent: process.cpuUsage() }));
  process.send({ port: running.appServer.address().port });
}

const heard = (server) => new Promise((resolve) => server.once("message", resolve));

async function open(base) {
  const { Client } = here("boardgame.io/client");
  const { SocketIO } = here("boardgame.io/multiplayer");
  const post = async (path, body) => (await fetch(`${base}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
  const { matchID } = await post("/games/push/create", { numPlayers: 2 });
  const clients = [];
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(`/games/push/${matchID}/join`, { playerID, playerName: playerID });
    const client = Client({ game, matchID, playerID, credentials: playerCredentials, multiplayer: SocketIO({ server: base }), debug: false });
    client.start();
    clients.push(client);
  }
  await Promise.all(clients.map((client) => reaches(client, 1)));
  return clients;
}

const reaches = (client, turn) =>
  new Promise((resolve) => {
    const leave = client.subscribe((state) => {
      if (state && state.ctx.turn >= turn) {
        setImmediate(() => leave());
        resolve();
      }
    });
  });

async function play(clients, end) {
  let moves = 0;
  while (Date.now() < end) {
    const both = clients.map((client) => reaches(client, moves + 2));
    clients[moves % 2].moves.push(moves % 49);
    await Promise.all(both);
    moves += 1;
    await new Promise((resolve) => setTimeout(resolve, 1)); // a move in the same tick as the update before it would be dropped
  }
  return moves;
}

async function main(tables, seconds) {
  const server = fork(__filename, ["serve"], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const { port } = await heard(server);
  const all = [];
  for (let number = 0; number < tables; number++) all.push(await open(`http://127.0.0.1:${port}`));
  const spent = async () => {
    server.send("spent");
    const { user, system } = (await heard(server)).spent;
    return (user + system) / 1000;
  };
  const before = await spent();
  const begun = Date.now();
  const moves = (await Promise.all(all.map((clients) => play(clients, begun + seconds * 1000)))).reduce((sum, one) => sum + one, 0);
  const took = (Date.now() - begun) / 1000;
  console.log(`${(moves / took).toFixed(0)} moves a second, ${(((await spent()) - before) / moves).toFixed(2)} ms of processor time a move`);
  server.kill();
  process.exit(0);
}

if (process.argv[2] === "serve") void serve();
else void main(Number(process.argv[2]), Number(process.argv[3]));
