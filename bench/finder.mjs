// `npm run bench:finder [-- --entities 2000000]`: whether a large register hides the companies that people mean, and what
// a search costs there. Needs the register files in ../shared/data.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { growRegister } from './grow-register.mjs';
import { conditions, rounded, spread, table } from './medians.mjs';
import { treeCpuSeconds } from './processes.mjs';
import { openQuestions } from './scale-questions.mjs';
import { built, measuring, openDataFolder, ROOT } from './workspace.mjs';

const { values: options } = parseArgs({
  options: { entities: { type: 'string', default: '2000000' }, rounds: { type: 'string', default: '5' } },
});
const SHARED = path.join(ROOT, '../shared/data');
const REGISTERS = [
  ['gleif', 'gleif-groups/entities.csv', '2026-01-01'],
  ['gleif', 'gleif-groups/relationships.csv', '2026-01-01'],
  ['sec', 'companies/sec-company_tickers.json', '2026-08-22'],
];

await measuring(async (defer) => {
  if (!existsSync(SHARED)) throw new Error('../shared/data does not exist beside the repository');
  const wanted = constituents();
  const registers = [await opened(defer, 0), await opened(defer, Number(options.entities))];
  const rows = [];
  for (const by of ['ticker', 'name']) {
    for (const route of ['companies', 'search']) {
      const costs = registers.map(() => []);
      const missed = registers.map(() => new Map());
      for (let round = -1; round < Number(options.rounds); round += 1) {
        // By turns, so that a busy moment of the machine does not meet one size only.
        for (const [at, { ask, postmaster }] of registers.entries()) {
          const before = treeCpuSeconds(postmaster);
          for (const one of wanted) {
            const first = await firstHit(ask, route, one[by]);
            if (first !== one.slug) missed[at].set(one[by], first);
          }
          // The round before the first warms up.
          if (round >= 0) costs[at].push(((treeCpuSeconds(postmaster) - before) * 1_000) / wanted.length);
        }
      }
      rows.push([
        `${route}, by ${by}`,
        ...missed.map(({ size }) => `${wanted.length - size} of ${wanted.length}`),
        ...costs.map((milliseconds) => spread(milliseconds, 2)),
      ]);
      for (const [at, list] of missed.entries())
        for (const [q, first] of list) console.log(`${registers[at].name}: ${route} ${q}: ${first}`);
    }
  }
  const [small, large] = registers.map(({ name }) => name);
  console.log(`\n${conditions(['embedded PostgreSQL, no response cache'])}\n`);
  console.log(
    table(['asked', `first hit, ${small}`, `first hit, ${large}`, `ms CPU, ${small}`, `ms CPU, ${large}`], rows),
  );

  function constituents() {
    const lines = readFileSync(path.join(SHARED, 'companies/sp500-constituents.csv'), 'utf8').trim().split('\n');
    const listed = new Set(
      Object.values(JSON.parse(readFileSync(path.join(SHARED, 'companies/sec-company_tickers.json'), 'utf8'))).map(
        ({ cik_str: cik, ticker }) => `${cik} ${ticker}`,
      ),
    );
    return lines
      .slice(1)
      .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"|"$/g, '')))
      .map(([ticker, name, , , , , cik]) => ({ ticker: ticker.replace('.', '-'), name, cik: Number(cik) }))
      .filter(({ cik, ticker }) => listed.has(`${cik} ${ticker}`));
  }

  async function firstHit(ask, route, q) {
    const filter = route === 'search' ? 'type=company&' : '';
    const { data } = await ask(`${route}?${filter}limit=1&q=${encodeURIComponent(q)}`);
    return data[0]?.slug ?? data[0]?.id;
  }

  async function opened(undo, entities) {
    const { dataDir } = await openDataFolder(undo);
    const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
    const { migrate } = await built('store/migrate.js');
    const { createDataSource } = await built('store/data-source.js');
    const { importFiles } = await built('publish/import/import-files.js');
    const { IMPORTERS } = await built('publish/publishers/importers.js');
    const lease = await openEmbeddedPostgres({ dataDir });
    undo(() => lease.release());
    const to = (role) => ({ ...lease.connection(role), role: null });
    const connections = { engine: 'embedded', firstStart: false, to, release: () => Promise.resolve() };
    await migrate(connections);
    const settings = { size: 2, statementTimeout: 0, applicationName: 'finder' };
    const publisher = await createDataSource(to('import'), settings, []).initialize();
    for (const [name, file, vintage] of REGISTERS) {
      const importer = IMPORTERS[name];
      const deliveries = await importer.open([path.join(SHARED, file)], vintage);
      await importFiles(publisher, importer, deliveries, { now: () => new Date() });
    }
    await publisher.destroy();
    const { default: pg } = await import('pg');
    const pools = Object.fromEntries(
      ['admin', 'import'].map((role) => [role, new pg.Pool({ ...lease.connection(role), max: 2 })]),
    );
    for (const pool of Object.values(pools)) pool.on('error', () => undefined);
    undo(() => Promise.all(Object.values(pools).map((pool) => pool.end())));
    if (entities > 0) await growRegister(pools, entities, (what) => console.error(`${rounded(entities)}: ${what}`));
    await pools.admin.query('VACUUM ANALYZE');
    const slugs = await pools.admin.query(
      `SELECT r.cik::integer AS cik, c.slug FROM registrants r JOIN companies c USING (entity_id)`,
    );
    const slugOf = new Map(slugs.rows.map(({ cik, slug }) => [cik, slug]));
    for (const one of wanted) one.slug = slugOf.get(one.cik);
    const { rows } = await pools.admin.query('SELECT count(*)::integer AS count FROM companies WHERE listed');
    const postmaster = Number(readFileSync(await pidFile(pools.admin), 'utf8').split('\n')[0]);
    const { ask } = await openQuestions(undo, connections, pools);
    return { ask, postmaster, name: rounded(rows[0].count) };
  }

  async function pidFile(pool) {
    const { rows } = await pool.query('SHOW data_directory');
    return path.join(rows[0].data_directory, 'postmaster.pid');
  }
});
