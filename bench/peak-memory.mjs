// Loaded before a measured process (`node --import`): at its exit it writes its resource usage to descriptor 3.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const said = { peakMegabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
  writeSync(3, JSON.stringify(said));
});
