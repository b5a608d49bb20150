// The same work on boardgame.io: two people at a table of its server, and how long each action takes to be confirmed to its mover.
// The move is left to the server (client: false). Its matches stay in memory, as they do unless told otherwise; ours are on disk when confirmed.
// node boardgame.cjs ACTIONS   prints a JSON list of milliseconds; boardgame.io is looked up from the working folder.
const { createRequire } = require("node:module");
const { performance } = require("node:perf_hooks");
const here = createRequire(`${process.cwd()}/`);
const { Server, Origins } = here("boardgame.io/server");
const { Client } = here("boardgame.io/client");
const { SocketIO } = here("boardgame.io/multiplayer");

const actions = Number(process.argv[2]);
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

async function main() {
  const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
  const running = await server.run(0);
  const base = `http://127.0.0.1:${running.appServer.address().port}`;
  const post = async (path, body) => (await fetch(`${base}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
  const { matchID } = await post("/games/push/create", { numPlayers: 2 });
  const clients = [];
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(`/games/push/${matchID}/join`, { playerID, playerName: playerID });
    const client = Client({ game, matchID, playerID, credentials: playerCredentials, multiplayer: SocketIO({ server: base }), debug: false });
    client.start();
    clients.push(client);
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
  await Promise.all(clients.map((client) => reaches(client, 1)));
  const times = [];
  for (let number = 0; number < actions; number++) {
    const turn = number + 2;
    const both = clients.map((client) => reaches(client, turn));
    const begun = performance.now();
    clients[number % 2].moves.push(number % 49);
    await both[number % 2];
    times.push(performance.now() - begun);
    await both[1 - (number % 2)];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  console.log(JSON.stringify(times));
  process.exit(0);
}

main();
