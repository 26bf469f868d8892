// `npm run bench:small-import [-- --quick]`: one figure imported into an almost empty database and beside a full register.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { treeCpuSeconds } from './processes.mjs';
import { measuring, openDataFolder, ROOT, runCli } from './workspace.mjs';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
});
const rounds = Number(options.rounds ?? (options.quick ? 3 : 15));
const MOST = 1.5;
const SHARED = path.join(ROOT, '../shared/data');
const HELD = [
  ['worldbank', 'worldbank-wdi-vintages/2026-07-01'],
  ['gleif', 'gleif-groups/entities.csv', '--vintage', '2026-07-01'],
  ['gleif', 'gleif-groups/relationships.csv', '--vintage', '2026-07-01'],
  ['sec', 'companies/sec-company_tickers.json', '--vintage', '2026-07-01'],
];
/** Days of the first delivery, before the measured ones. */
const BASELINE = 30;

await measuring(async (defer) => {
  if (!existsSync(SHARED)) throw new Error('../shared/data does not exist beside the repository');
  const { folder } = await openDataFolder(defer);
  const files = await ratesIn(path.join(folder, 'rates'), rounds + 1);
  const small = await opened(defer, 'almost empty', [], files.baseline);
  const large = await opened(defer, 'register and WDI', HELD, files.baseline);
  for (const [at, file] of files.days.entries()) {
    // By turns, so that a busy moment of the machine does not meet one of them only; the first round warms up.
    for (const one of at % 2 === 0 ? [small, large] : [large, small]) {
      const cost = await imported(one, file);
      if (at > 0) one.costs.push(cost);
    }
    console.error(`round ${at} of ${rounds}`);
  }
  print(small, large);
});

/** A year of working days of one exchange rate: a first delivery, and then one day a delivery. */
async function ratesIn(folder, count) {
  await mkdir(folder);
  const days = Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(2025, 6, 1 + at)))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day, at) => ({ day: day.toISOString().slice(0, 10), rate: (1.17 + 0.01 * Math.sin(at)).toFixed(4) }));
  const write = async (name, rows) => {
    const file = path.join(folder, `${name}.csv`);
    const lines = rows.map(({ day, rate }) => `${day},${rate},`).reverse();
    await writeFile(file, ['Date,USD,', ...lines, ''].join('\n'));
    return file;
  };
  return {
    baseline: await write('baseline', days.slice(0, BASELINE)),
    days: await Promise.all(days.slice(BASELINE, BASELINE + count).map((one) => write(one.day, [one]))),
  };
}

async function opened(defer, name, held, baseline) {
  const { environment, dataDir } = await openDataFolder(defer);
  const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
  const { findHome } = await import('@tidemark/embedded-postgres/home');
  const { findPostmaster } = await import('@tidemark/embedded-postgres/postmaster');
  // The server outlives the imports, so that they pay for no start of it.
  const lease = await openEmbeddedPostgres({ dataDir });
  defer(() => lease.release());
  await runCli(environment, ['migrate']);
  for (const [publisher, file, ...more] of held) {
    console.error(`${name}: importing ${file} …`);
    await runCli(environment, ['import', publisher, path.join(SHARED, file), '--accept', ...more]);
  }
  await runCli(environment, ['import', 'ecb', baseline]);
  const { pid } = await findPostmaster(await findHome(dataDir));
  return { name, environment, postmaster: pid, costs: [] };
}

async function imported({ environment, postmaster }, file) {
  const before = treeCpuSeconds(postmaster);
  const { answer, seconds, cpuSeconds } = await runCli(environment, ['import', 'ecb', file]);
  const [report] = answer.reports;
  if (report.outcome !== 'published' || report.counts.changed !== 1) throw new Error(JSON.stringify(report));
  return { node: cpuSeconds, postgres: treeCpuSeconds(postmaster) - before, inside: report.seconds, whole: seconds };
}

function print(small, large) {
  const measures = [
    ['CPU of node, s', ({ node }) => node],
    ['CPU of PostgreSQL, s', ({ postgres }) => postgres],
    ['CPU of both, s', ({ node, postgres }) => node + postgres],
    ['the import itself, s', ({ inside }) => inside],
    ['whole process, s', ({ whole }) => whole],
  ];
  const ratios = (of) => large.costs.map((cost, at) => of(cost) / of(small.costs[at]));
  const rows = measures.map(([name, of]) => [
    name,
    ...[small, large].map(({ costs }) => spread(costs.map(of), 2)),
    spread(ratios(of), 2),
  ]);
  console.log(`\n${conditions(['embedded PostgreSQL', `${rounds} rounds`])}\n`);
  console.log(table(['one figure', small.name, large.name, 'ratio'], rows));
  for (const [name, of] of [measures[2], measures[4]]) {
    const ratio = median(ratios(of));
    console.log(`${name}: at most ${MOST} times: ${ratio <= MOST ? 'met' : 'MISSED'} (${rounded(ratio, 2)})`);
  }
}
