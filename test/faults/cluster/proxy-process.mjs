// A slow proxy in a process of its own: one that shares a process with a busy load generator delays by accident.
import { SlowProxy } from './slow-proxy.mjs';

const proxy = await SlowProxy.before(Number(process.argv[2]));
process.on('message', ({ id, does, value }) => {
  if (does === 'delay') proxy.delayMs = value;
  else proxy[does](value);
  process.send({ id });
});
process.on('disconnect', () => process.exit());
process.send({ port: proxy.port });
