// boardgame.io's own server with tic-tac-toe: node server.cjs PORT LOBBY [FOLDER]; with a folder it keeps its matches there.
// Its lobby has a port of its own: at the same port 0.50.2 finds none of its addresses with the koa that comes with it now.
const { FlatFile, Origins, Server } = require("boardgame.io/server");
const { TicTacToe } = require("./game.cjs");

const [port, apiPort, dir] = process.argv.slice(2);
const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST], db: dir ? new FlatFile({ dir }) : undefined });
server.run({ port: Number(port), lobbyConfig: { apiPort: Number(apiPort) }, callback: () => console.log("ready") });
