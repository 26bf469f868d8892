// Keeps one core busy until its parent ends. Started by `burn-cores.mjs`.
import { setImmediate } from 'node:timers';

process.on('disconnect', () => process.exit());
const burn = () => {
  const until = performance.now() + 50;
  while (performance.now() < until);
  setImmediate(burn);
};
burn();
