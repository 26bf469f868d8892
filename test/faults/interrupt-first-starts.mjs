// `node test/faults/interrupt-first-starts.mjs [RUNS] [SECONDS]` interrupts as many first starts as fit into the time, at
// random moments, and checks what the service promises: it exits within a second, no process remains, and a later start
// completes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packageInto } from '../../scripts/package.mjs';
import { processesIn, start, STARTED, untilPrinted } from './first-start.mjs';

async function interruptMany(runs, seconds) {
  const deadline = performance.now() + seconds * 1_000;
  const late = [];
  const failures = [];
  const all = [];
  let done = 0;
  let completed = 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'first-start-'));
  // The database's user may enter it.
  chmodSync(folder, 0o755);
  // A build meanwhile would change the service.
  const service = path.join(folder, 'service');
  packageInto(service);
  for (let round = 0; done < runs && performance.now() < deadline; round += 1) {
    const dataDir = path.join(folder, String(round));
    // Several interruptions of one folder, then a start that may complete.
    for (let one = 0; one < 8 && done < runs && performance.now() < deadline; one += 1) {
      const signal = ['SIGTERM', 'SIGINT', 'SIGKILL'][done % 3];
      const afterMs = Math.random() ** 2 * 20_000;
      let sentAt = 0;
      const { code, output } = await start(
        dataDir,
        {},
        async (child, text) => {
          const begun = performance.now();
          while (performance.now() - begun < afterMs && !text().includes(STARTED) && child.exitCode === null)
            await wait(5);
          sentAt = performance.now();
          child.kill(signal);
        },
        service,
      );
      const ms = Math.round(performance.now() - sentAt);
      const wanted = output.includes(STARTED) ? null : 1_000;
      all.push({ signal, afterMs: Math.round(afterMs), ms });
      if (wanted !== null && ms > wanted) late.push({ signal, afterMs: Math.round(afterMs), ms, output });
      const gone = performance.now() + 15_000;
      while (processesIn(dataDir).length > 0 && performance.now() < gone) await wait(20);
      const left = processesIn(dataDir);
      if (left.length > 0) failures.push({ signal, afterMs, left });
      if (signal !== 'SIGKILL' && code !== 0 && code !== null) failures.push({ signal, afterMs, code, output });
      done += 1;
    }
    const { code, output } = await start(
      dataDir,
      {},
      async (child, text) => {
        await untilPrinted(child, text, STARTED);
        child.kill('SIGINT');
      },
      service,
    );
    if (code !== 0 || !output.includes(STARTED)) failures.push({ round, code, output });
    else completed += 1;
    rmSync(dataDir, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
  const ms = all.map((one) => one.ms).sort((a, b) => a - b);
  console.log(JSON.stringify({ interrupted: done, completed, late, failures }, null, 2));
  console.log(`exit after ms: median ${ms[ms.length >> 1]}, longest ${ms.at(-1)}; over a second: ${late.length}`);
  return failures.length + late.length;
}

const [runs = '200', seconds = '3600'] = process.argv.slice(2);
process.exitCode = (await interruptMany(Number(runs), Number(seconds))) === 0 ? 0 : 1;
