// Loaded before a measured process (`node --import`): at its end it says on descriptor 3 what it used.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const said = { peakMegabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(3, JSON.stringify(said));
});
