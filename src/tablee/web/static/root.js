/** The path that the house stands under: nothing at a server of its own, /games/app where it is one of several things there. */
export const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
