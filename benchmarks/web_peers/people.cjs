// Simulate pairs of people on boardgame.io's server with its client: node people.cjs PORT LOBBY PAIRS SECONDS THINK.
// An action is answered when its player has the new state from the server. Prints the response times as JSON.
const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { TicTacToe } = require("./game.cjs");

const [port, apiPort, pairs, seconds, think] = process.argv.slice(2).map(Number);
const server = `http://localhost:${port}`;
const lobby = new LobbyClient({ server: `http://localhost:${apiPort}` });
const sleep = (time) => new Promise((done) => setTimeout(done, 1000 * time));
const answers = [];
let until = Infinity;

async function open() {
  const { matchID } = await lobby.createMatch(TicTacToe.name, { numPlayers: 2 });
  return Promise.all(["0", "1"].map(async (playerID) => {
    const { playerCredentials } = await lobby.joinMatch(TicTacToe.name, matchID, { playerID, playerName: `Player ${playerID}` });
    const multiplayer = SocketIO({ server, socketOpts: { transports: ["websocket"] } });
    return Client({ game: TicTacToe, multiplayer, matchID, playerID, credentials: playerCredentials, debug: false });
  }));
}

// Play one match as one person, who thinks and takes a cell on each turn; resolves when the match is over.
function play(client) {
  return new Promise((over) => {
    let asked = 0, thinking = false;
    const look = () => {
      const state = client.getState();
      if (!state) return;
      if (state.ctx.gameover || performance.now() > until) return over();
      if (state.ctx.currentPlayer !== client.playerID || thinking) return;
      thinking = true;
      setTimeout(() => {
        if (performance.now() > until) return over();
        const free = client.getState().G.cells.flatMap((cell, place) => (cell === null ? [place] : []));
        asked = performance.now();
        client.moves.take(free[Math.floor(Math.random() * free.length)]);
      }, 1000 * think * (0.5 + Math.random()));
    };
    client.start();
    client.transport.socket.on("update", () => {
      if (asked) {
        if (performance.now() < until) answers.push(performance.now() - asked);
        asked = 0;
        thinking = false;
      }
      look();
    });
    client.subscribe(look);
  });
}

async function pair() {
  while (performance.now() < until) {
    const clients = await open();
    await Promise.race([Promise.all(clients.map(play)), sleep(Math.max(0, (until - performance.now()) / 1000) || 60)]);
    clients.forEach((client) => client.stop());
  }
}

async function main() {
  until = performance.now() + 1000 * seconds;
  await Promise.all(Array.from({ length: pairs }, pair));
  // A pipe takes 64 kB at a time; exit only after everything is written, or the rest is lost.
  process.stdout.write(JSON.stringify({ answers }), () => process.exit(0));
}

main();
