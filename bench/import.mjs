// `npm run bench:import [-- --quick]`: measures the speed and the memory of an import.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from './generate.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { fourVintages, measuring, openDataFolder, runCli, within } from './workspace.mjs';

const MILLION_DAYS = ['2026-06-01', '2026-07-01'];
const AIM = { observationsASecond: 15_000, peakMegabytes: 300 };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, repeat: { type: 'string' }, observations: { type: 'string' } },
});
const repeat = Number(options.repeat ?? (options.quick ? 1 : 3));
const large = Number(options.observations ?? (options.quick ? 120_000 : 1_000_000));

await measuring(async (defer) => {
  const { folder } = await openDataFolder(defer);
  const vintages = await fourVintages(folder);
  console.error(`Generating twice ${rounded(large)} observations …`);
  const generated = path.join(folder, 'generated');
  await generate(generated, { observations: large, vintages: MILLION_DAYS });

  const newest = path.join(vintages.folder, vintages.days.at(-1));
  const results = [
    await measured(defer, `one vintage, ${vintages.kind}`, [[newest]], repeat),
    await measured(defer, `four vintages, ${vintages.kind}`, [[vintages.folder]], repeat),
    ...(await largeVintages(defer, generated)),
  ];
  const rows = results.map(({ name, runs }) => [
    name,
    rounded(runs[0].observations),
    rounded(runs[0].changes),
    spread(
      runs.map(({ seconds }) => seconds),
      1,
    ),
    spread(runs.map(({ observations, seconds }) => observations / seconds)),
    spread(runs.map(({ observations, reported }) => observations / reported)),
    spread(runs.map(({ cpuSeconds, seconds }) => (cpuSeconds / seconds) * 100)),
    spread(runs.map(({ peakMegabytes }) => peakMegabytes)),
  ]);
  const head = [
    'import',
    'observations',
    'changes derived',
    's, whole process',
    'obs/s, whole process',
    'obs/s, import itself',
    'node CPU %',
    'peak RSS, MB',
  ];
  console.log(`\n${conditions(['embedded PostgreSQL'])}\n\n${table(head, rows)}`);
  check(results);
});

/** Each run starts with a new embedded server that has the schema, so that it times the import only. */
async function measured(defer, name, steps, times) {
  const runs = [];
  for (let run = 0; run < times; run += 1) {
    await within(defer, async (own) => {
      const { environment } = await openDataFolder(own);
      await runCli(environment, ['migrate']);
      for (const paths of steps) runs.push(await oneImport(environment, name, paths));
    });
  }
  return { name, runs };
}

async function oneImport(environment, name, paths) {
  console.error(`Importing: ${name} …`);
  const { answer, ...used } = await runCli(environment, ['import', 'worldbank', '--accept', ...paths]);
  const sum = (of) => answer.reports.reduce((total, report) => total + of(report), 0);
  return {
    ...used,
    observations: sum(({ counts }) => counts.rows),
    changes: sum(({ counts }) => counts.releases + counts.revisions),
    reported: sum(({ seconds }) => seconds),
  };
}

/** A baseline, which derives nothing, and then a vintage of the same size that restates it. */
async function largeVintages(defer, generated) {
  const folders = MILLION_DAYS.map((day) => [path.join(generated, day)]);
  const { runs } = await measured(defer, 'generated files', folders, 1);
  return [
    { name: 'generated, first vintage', runs: [runs[0]] },
    { name: 'generated, second vintage', runs: [runs[1]] },
  ];
}

function check(results) {
  const slowest = Math.min(
    ...results.map(({ runs }) => median(runs.map(({ observations, seconds }) => observations / seconds))),
  );
  const largest = Math.max(...results.flatMap(({ runs }) => runs.map(({ peakMegabytes }) => peakMegabytes)));
  const met = (good) => (good ? 'met' : 'MISSED');
  console.log(`
at least ${rounded(AIM.observationsASecond)} obs/s: ${met(slowest >= AIM.observationsASecond)} (slowest ${rounded(slowest)})
at most ${AIM.peakMegabytes} MB: ${met(largest <= AIM.peakMegabytes)} (largest ${rounded(largest)})`);
}
