// A slow proxy in a separate process: in the process of a busy load generator it would add accidental delays.
import { SlowProxy } from './slow-proxy.mjs';

const proxy = await SlowProxy.before(Number(process.argv[2]));
process.on('message', ({ id, does, value }) => {
  if (does === 'delay') proxy.delayMs = value;
  else proxy[does](value);
  process.send({ id });
});
process.on('disconnect', () => process.exit());
process.send({ port: proxy.port });
