import { createServer } from 'node:net';

// Below the ports of outgoing connections (Linux: from 32768), because any process may take one of those between its
// choice here and its use. Each process has a range of its own.
const FIRST = 10_000;
const OWN = 500;
const WORKERS = 16;
const SLICES = 45;

const { JEST_WORKER_ID } = process.env;
const slice =
  JEST_WORKER_ID === undefined ? WORKERS + (process.pid % (SLICES - WORKERS)) : Number(JEST_WORKER_ID) % WORKERS;
// A worker loads this module again for each spec, and another run on the machine has workers of the same numbers.
let drawn = Math.floor(Math.random() * OWN);

/**
 * An unused port of the loopback interface: another one each time, until this process has returned all of its range.
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
