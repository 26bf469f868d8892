// Keeps a copy of all figures, changes, events and companies in one NDJSON file. Run it again to bring the copy up to date.
//   TIDEMARK_KEY=tm_… node examples/copy/copy.mjs http://127.0.0.1:3000 copy.ndjson
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { MemoryStore, Tidemark } from '@tidemark/client';

const BEGINNING = '1970-01-01';
const [baseUrl, file] = process.argv.slice(2);
const key = process.env.TIDEMARK_KEY;
if (!baseUrl || !file || !key) throw new Error('usage: TIDEMARK_KEY=… node copy.mjs <address> <file>');

let requests = 0;
const tm = new Tidemark({
  baseUrl,
  key,
  // A first load on a small plan waits for its minutes.
  maxWait: Infinity,
  // No answer is read twice.
  store: new MemoryStore(0),
  fetch: (...request) => {
    requests += 1;
    return fetch(...request);
  },
});

/** Rows by subject (an indicator in a region, an instrument), items of lists by path, and how far the copy has come. */
function load() {
  const copy = { since: {}, rows: new Map(), items: new Map(), sources: new Map() };
  if (!existsSync(file)) return copy;
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { type, ...row } = JSON.parse(line);
    if (type === 'since') copy.since = row;
    else if (type === 'figure') put(copy, row);
    else if (type === 'item') copy.items.set(`${row.path}/${row.slug ?? row.id}`, row);
    else copy.sources.set(row.id, row);
  }
  return copy;
}

function put({ rows }, row) {
  if (!rows.has(row.subject)) rows.set(row.subject, []);
  rows.get(row.subject).push(row);
}

/** Replaces the rows of a subject between two periods. */
function replace(copy, subject, { from, to }, figures) {
  const others = (copy.rows.get(subject) ?? []).filter(({ period }) => period < from || period > to);
  copy.rows.delete(subject);
  for (const row of others) put(copy, row);
  for (const { period, value, decimals, knownSince, knownUntil = null, source } of figures)
    if (value !== null) put(copy, { subject, period, value, decimals, knownSince, knownUntil, source });
}

async function readIndicator(copy, indicator, publishedSince) {
  const path = `macro/${indicator}`;
  const asked = { indicator, publishedSince, vintages: 'all' };
  for await (const { data, meta } of tm.pages('/macro/{indicator}', asked)) {
    for (const code of meta.removed ?? []) copy.rows.delete(`${path}@${code}`);
    for (const { region, changedPeriods, observations } of data.series)
      replace(copy, `${path}@${region.code}`, changedPeriods, observations);
  }
}

/** Every value that each period had. The board says which indicators have changed. */
async function readIndicators(copy) {
  const { indicators } = (await tm.get('/macro/board')).data;
  const known = new Set(indicators.map(({ slug }) => `macro/${slug}`));
  for (const subject of copy.rows.keys())
    if (subject.startsWith('macro/') && !known.has(subject.split('@')[0])) copy.rows.delete(subject);
  for (const { slug, dataVersion, publishedAt } of indicators) {
    const path = `macro/${slug}`;
    const seen = copy.since[path];
    if (seen?.dataVersion !== dataVersion) await readIndicator(copy, slug, seen?.publishedAt ?? BEGINNING);
    copy.since[path] = { dataVersion, publishedAt };
  }
}

/** The current prices. The list has the newest two of each instrument: most days need no other request. */
async function readInstruments(copy) {
  const seen = copy.since.markets;
  const publishedSince = seen?.publishedAt ?? BEGINNING;
  const { data, meta } = await tm.get('/markets', { publishedSince });
  if (meta.dataVersion === seen?.dataVersion) return;
  for (const name of meta.removed) copy.rows.delete(`markets/${name}`);
  for (const { key: name, quote, changedPeriods } of data) {
    const path = `markets/${name}`;
    const { from, to } = changedPeriods;
    const newest = quote === null ? [] : [quote.last, quote.previous];
    const inSpan = newest.filter(({ period }) => period >= from && period <= to);
    const isWhole = quote === null || quote.last.period < from || quote.previous.period < from;
    if (isWhole) {
      replace(copy, path, changedPeriods, inSpan);
      continue;
    }
    const figures = [];
    for await (const page of tm.pages('/markets/{key}', { key: name, publishedSince, points: 1_000 }))
      figures.push(...page.data.points);
    replace(copy, path, changedPeriods, figures);
  }
  copy.since.markets = { dataVersion: meta.dataVersion, publishedAt: meta.publishedAt };
}

/** What was published, changed or removed since. The newest publication of the last run is in it again. */
async function readList(copy, path, id) {
  const { items } = copy;
  const seen = copy.since[path];
  let newest = null;
  const asked = { publishedSince: seen?.publishedAt ?? BEGINNING, limit: 1_000 };
  for await (const { data, meta } of tm.pages(`/${path}`, asked)) {
    newest ??= meta;
    if (meta.dataVersion === seen?.dataVersion) return;
    for (const key of meta.removed ?? []) items.delete(`${path}/${key}`);
    for (const item of data) items.set(`${path}/${item[id]}`, { path, ...item });
  }
  copy.since[path] = { dataVersion: newest.dataVersion, publishedAt: newest.publishedAt };
}

async function readWithdrawals(copy, since) {
  if (since?.dataVersion === copy.since.changes.dataVersion) return;
  const publishedSince = since?.publishedAt ?? BEGINNING;
  for await (const { id } of tm.items('/changes', { publishedSince, status: 'withdrawn', limit: 1_000 }))
    copy.items.delete(`changes/${id}`);
}

function save({ since, rows, items, sources }) {
  // Figures may be shown only with the attributions of their sources.
  for (const source of tm.sourcesUsed()) sources.set(source.id, source);
  const lines = [
    { type: 'since', ...since },
    ...[...sources.values()].map((row) => ({ type: 'source', ...row })),
    ...[...rows.values()].flat().map((row) => ({ type: 'figure', ...row })),
    ...[...items.values()].map((row) => ({ type: 'item', ...row })),
  ];
  writeFileSync(`${file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  renameSync(`${file}.new`, file);
}

const copy = load();
await readIndicators(copy);
await readInstruments(copy);
const changesSeen = copy.since.changes;
await readList(copy, 'changes', 'id');
await readWithdrawals(copy, changesSeen);
await readList(copy, 'ahead', 'id');
await readList(copy, 'companies', 'slug');
save(copy);
console.log(JSON.stringify({ requests, figures: [...copy.rows.values()].flat().length, items: copy.items.size }));
