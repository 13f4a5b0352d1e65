// boardgame.io's own server with tic-tac-toe: node server.cjs PORT LOBBY [FOLDER]. In a folder it stores matches.
// The lobby has a separate port: on a shared port, 0.50.2 doesn't find its routes with the current version of koa.
const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { TicTacToe } = require("./game.cjs");

const [port, apiPort, dir] = process.argv.slice(2);
const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST], db: dir ? new FlatFile({ dir }) : undefined });
server.run({ port: Number(port), lobbyConfig: { apiPort: Number(apiPort) }, callback: () => console.log("ready") });
