import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from './config.js';

/** Tries the ports that the service will listen on. @throws the system's error, with the variable that names the port */
export async function requirePorts({ host, port, metricsPort }: Config): Promise<void> {
  await tryPort(host, port, 'PORT');
  if (metricsPort !== null) await tryPort(host, metricsPort, 'METRICS_PORT');
}

async function tryPort(host: string, port: number, variable: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw Object.assign(error as Error, { variable });
  }
  server.close();
  await once(server, 'close');
}
