// `npm run bench:pages`: the CPU of a page that is rendered and of one from the cache, and the bytes that a reader loads.
import { startService } from '../test/external/service.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { cpuSeconds } from './processes.mjs';
import { measuring } from './workspace.mjs';

const ROUNDS = 3;
/** Pages of a round at most, none of which was rendered before; the kernel counts CPU in ticks of 10 ms. */
const RENDERED = 40;
const CACHED = 1_000;
const GOALS = { rendered: 5, cached: 0.6, bytes: 60_000 };
const LOCALES = ['en', 'zh', 'ja'];
let asked = 0;

await measuring(async (defer) => {
  const service = await startService({ TRUSTED_PROXIES: '127.0.0.1' });
  defer(() => service.stop());
  const kinds = await pathsOf(service);
  console.log(`\n${conditions()}; starter figures, ${ROUNDS} rounds of up to ${RENDERED} pages, one at a time`);
  const rows = [];
  for (const [kind, paths] of Object.entries(kinds)) rows.push(await measure(service, kind, paths));
  const head = ['page', 'pages a round', 'rendered, ms CPU', 'cached, ms CPU', 'bytes with its files', 'goals'];
  console.log(`\n${table(head, rows)}`);
});

/** Enough pages of each kind for all rounds. */
async function pathsOf({ url, key }) {
  const data = async (path) => {
    const response = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
    return (await response.json()).data;
  };
  const changes = await data('changes?limit=100');
  const board = await data('macro/gdp-growth?region=JP,US,DE,CN,GB,FR,IN,BR,CA,KR,MX,ZA,ID,TR');
  const regions = board.series.map(({ region }) => region.code);
  const indicators = ['gdp-growth', 'cpi-inflation', 'gdp', 'population', 'unemployment-rate'];
  const latest = Date.parse((await data('briefs/latest')).date);
  const dayBefore = (count) => new Date(latest - count * 86_400_000).toISOString().slice(0, 10);
  const days = Array.from({ length: RENDERED }, (_, count) => dayBefore(count));
  const briefs = await Promise.all(days.map(async (day) => ((await data(`briefs/${day}`)) ? day : null)));
  return {
    change: inEachLocale(changes.map(({ id }) => `/changes/${id}`)),
    series: inEachLocale(indicators.flatMap((one) => regions.map((region) => `/macro/${one}/${region}`))),
    brief: inEachLocale(briefs.filter((day) => day !== null).map((day) => `/briefs/${day}`)),
    calendar: inEachLocale(days.map((day) => `/calendar?day=${day}`)),
  };
}

function inEachLocale(paths) {
  return paths.flatMap((path) => LOCALES.map((locale) => `${path}${path.includes('?') ? '&' : '?'}locale=${locale}`));
}

async function measure(service, kind, paths) {
  const [rendered, cached] = [[], []];
  const count = Math.min(RENDERED, Math.floor(paths.length / (ROUNDS + 1)));
  // The first round warms the process up.
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const fresh = paths.splice(0, count);
    const cold = await cpuOf(service, fresh);
    const [page] = fresh;
    const warm = await cpuOf(
      service,
      Array.from({ length: CACHED }, () => page),
    );
    if (turn > 0) (rendered.push(cold), cached.push(warm));
    if (turn === ROUNDS) {
      const bytes = await bytesOf(service.url, page);
      const isMet = median(rendered) < GOALS.rendered && median(cached) < GOALS.cached && bytes < GOALS.bytes;
      return [kind, count, spread(rendered, 1), spread(cached, 2), rounded(bytes), isMet ? 'met' : 'MISSED'];
    }
  }
}

/** Milliseconds of CPU of the service's process for each of these pages. */
async function cpuOf({ url, pid }, paths) {
  const before = cpuSeconds(pid);
  for (const path of paths) {
    asked += 1;
    // One address may open 120 pages a minute.
    const address = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
    const response = await fetch(`${url}${path}`, { headers: { 'x-forwarded-for': address, accept: 'text/html' } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
  }
  return ((cpuSeconds(pid) - before) / paths.length) * 1_000;
}

/** What a browser loads uncompressed: the page, its stylesheet and its icon. */
async function bytesOf(url, page) {
  const html = await (await fetch(`${url}${page}`, { headers: { accept: 'text/html' } })).text();
  const files = new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+|\/site\/[^"]+)"/g)].map(([, file]) => file));
  let bytes = Buffer.byteLength(html);
  for (const file of files) bytes += (await (await fetch(`${url}${file}`)).arrayBuffer()).byteLength;
  return bytes;
}
