import { formatDay } from '../../domain/locale/format.js';
import type { Locale, Localized } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Citations } from '../../domain/sources/citations.js';
import { sameInAll } from '../../store/columns-of.js';
import type { Read } from '../../store/snapshots.js';
import { grouped } from '../../domain/grouped.js';

/** Series and entities in quarantine: a response shows what was accepted before, and says so. The faults of entities are checks. */
const WAITING = `
  SELECT coalesce(s.instrument, s.indicator || '@' || s.region) AS key, coalesce(t.name, i.name) AS name,
         r.name AS region, min(q.since)::text AS since, null AS until,
         array_agg(DISTINCT f ORDER BY f) AS faults
  FROM quarantined_series q JOIN series s ON s.id = q.series_id
    LEFT JOIN instruments t ON t.key = s.instrument LEFT JOIN indicators i ON i.slug = s.indicator
    LEFT JOIN regions r ON r.code = s.region, unnest(q.faults) AS f
  WHERE q.ended_by IS NULL
  GROUP BY s.id, t.name, i.name, r.name
  UNION ALL
  SELECT q.entity, ${sameInAll('e.name')}, null, min(q.since)::text, null, q.checks
  FROM quarantined_series q JOIN entities e ON e.lei = q.entity OR e.cik = substring(q.entity FROM '^CIK (\\d+)$')::integer
  WHERE q.ended_by IS NULL AND e.name IS NOT NULL
  GROUP BY q.entity, e.name, q.checks ORDER BY 1`;

/** Vintages that are stale copies, until the next one: what is shown as of a day between says so. */
const PARTIAL = `
  SELECT s.indicator || '@' || s.region AS key, i.name, r.name AS region, v.day::text AS since, v.until::text,
         ARRAY['partial'] AS faults
  FROM (SELECT series_id, day, partial, lead(day) OVER (PARTITION BY series_id ORDER BY day) AS until FROM series_vintages
        WHERE series_id IN (SELECT series_id FROM series_vintages WHERE partial)) v
    JOIN series s ON s.id = v.series_id JOIN indicators i ON i.slug = s.indicator JOIN regions r ON r.code = s.region
  WHERE v.partial ORDER BY 1, 4`;

interface WaitingRow {
  readonly key: string;
  readonly name: Localized;
  readonly region: Localized | null;
  readonly since: string;
  /** Null: it goes on. */
  readonly until: string | null;
  /** `partial`: nothing waits, but the copy was stale; `exchanged` and `circular` are of entities. */
  readonly faults: readonly string[];
}

/** By key of an instrument, `gdp@JP`, an LEI, or `CIK 320193`. */
export type Waits = ReadonlyMap<string, readonly WaitingRow[]>;

/** More of them are only counted. */
const MOST_NAMES = 5;

export async function readWaiting(read: Read): Promise<Waits> {
  const rows = [...(await read<WaitingRow>(WAITING)), ...(await read<WaitingRow>(PARTIAL))];
  return grouped(rows, ({ key }) => key);
}

/** One notice for each fault: which series and entities of the response wait, or are stale copies, since when, and why. */
export function waitingNotices(
  { ages, rankings, entities }: Citations,
  waiting: Waits,
  texts: Texts,
  locale: Locale,
): string[] {
  if (waiting.size === 0) return [];
  const on = (asOf: string, rows: readonly WaitingRow[]) =>
    rows.filter(({ since, until }) => asOf >= since && (until === null || asOf < until));
  const cited = ages.flatMap(({ series = '', asOf = '' }) => on(asOf, waiting.get(series) ?? []));
  // Most responses rank nothing, and hundreds of series may wait.
  const ranked = [...(rankings.size === 0 ? [] : waiting)].flatMap(([key, rows]) => {
    const asOf = rankings.get(key.split('@', 1)[0] ?? '');
    return asOf === undefined ? [] : on(asOf, rows).filter(({ until }) => until === null);
  });
  const ofEntities = [...entities].flatMap((key) => waiting.get(key) ?? []);
  const shown = [...new Set([...cited, ...ranked, ...ofEntities])];
  return [...new Set(shown.map(({ faults: [fault] }) => fault ?? ''))].sort().map((fault) => {
    const rows = shown.filter(({ faults }) => faults[0] === fault);
    const named = rows
      .slice(0, MOST_NAMES)
      .map(({ name, region }) =>
        region === null
          ? name[locale]
          : texts.say(locale, 'resources.series', { indicator: name[locale], region: region[locale] }),
      );
    const rest = rows.length - named.length;
    const message = ofEntities.some((row) => row === rows[0]) ? 'waiting_entity' : 'waiting';
    const of = {
      names: named.join(VOICES[locale].semicolon),
      rest: rest === 0 ? '' : texts.say(locale, `resources.${message}_rest`, { count: rest }),
      day: formatDay(locale, rows.map(({ since }) => since).sort()[0] ?? ''),
    };
    if (fault === 'partial') return texts.say(locale, 'resources.partial', of);
    return texts.say(locale, `resources.${message}`, {
      ...of,
      reason: texts.say(locale, `resources.waiting_fault.${fault}`),
    });
  });
}
