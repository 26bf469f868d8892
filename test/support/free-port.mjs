import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (Linux from 32768): one of those can be taken by any other
// process between its being found here and its being bound. Each process draws from ports that are its own.
const FIRST = 10_000;
const OWN = 500;
const WORKERS = 16;
const SLICES = 45;

const { JEST_WORKER_ID } = process.env;
const slice =
  JEST_WORKER_ID === undefined
    ? WORKERS + (process.pid % (SLICES - WORKERS))
    : Number(JEST_WORKER_ID) % WORKERS;
// A worker loads this anew for each spec, and another run on the machine has workers of the same numbers.
let drawn = Math.floor(Math.random() * OWN);

/**
 * A port of the loopback interface that nobody listens on: each time another one, until all of this process's were given.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let tries = 0; tries < OWN; tries += 1) {
    drawn = (drawn + 1) % OWN;
    const port = FIRST + slice * OWN + drawn;
    if (await binds(port)) return port;
  }
  throw new Error(`No port is free from ${FIRST + slice * OWN} on`);
}

function binds(port) {
  const server = createServer();
  return new Promise((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
