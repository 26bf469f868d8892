import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import { UrlBuilder } from '../../responses/url-builder.service.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { Result } from '../../responses/result.js';
import type { Read } from '../../../store/snapshots.js';
import type { ParameterFaults } from '../../../domain/errors/parameter-faults.js';
import { shiftedDay } from '../../../domain/figures/periods.js';
import { formatDay } from '../../../domain/locale/format.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { checkFilters, notStoredNotice, REGIONS_OF_CODES } from '../closed-sets.rows.js';
import {
  NEWEST_DAY,
  NEWEST_DAY_OF_REGION,
  ONE_REGION,
  TOP_CHANGES,
  WINDOWS,
  WINDOWS_OF_REGION,
  type RegionRow,
  type TopChangeRow,
  type WindowRow,
} from './heat.rows.js';
import { heatOf, OWN_WINDOWS, UNHEATED, type Heat, type WindowTotals } from './heat.rule.js';
import type { CountryHeat, HeatQuery } from './heat.schema.js';

/** The span of reference windows in days: ten years; only whole windows count. */
const SPAN = 3_653;
const ALL_COVERAGE = '';
const EMPTY: WindowTotals = { changes: 0, importance: 0 };

interface Frame {
  readonly coverage: string;
  readonly until: string;
  readonly days: number;
}

interface Measured extends Heat {
  readonly code: string;
  readonly window: WindowTotals;
}

/**
 * How much changed in a country compared with its own normal: docs/explanation/heat.md. It measures change, never risk.
 */
@Injectable()
export class HeatService {
  constructor(
    private readonly reader: ConsistentReader,
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  /** One economy, or all countries with a change up to the window's end, hottest first. */
  list(query: HeatQuery, context: RequestContext): Promise<Result<CountryHeat[]>> {
    const country = query.country === undefined ? undefined : [query.country];
    const checks = async (_: Read, faults: ParameterFaults) =>
      checkFilters(faults, { coverage: query.coverage, country });
    return this.reader.readChecked({ family: 'changes' }, context, checks, async (read, cite, regions) => {
      const region = regions?.[0] ?? null;
      const coverage = query.coverage ?? ALL_COVERAGE;
      const isAhead = query.until !== undefined && query.until > context.today;
      const requested = isAhead ? undefined : query.until;
      const newest = await newestDay(read, coverage, region);
      const until = requested ?? newest;
      const { locale } = context;
      const isUnknown = region !== null && newest === null;
      const notStored = isUnknown ? await notStoredNotice(read, [region], this.texts, locale) : [];
      if (until === null)
        return { data: region === null ? [] : await unheated(read, region, context), notices: notStored };
      const frame = { coverage, until, days: query.days };
      const measured = region === null ? await measureAll(read, frame) : [await measureOne(read, frame, region)];
      const shown = measured.slice(0, query.limit);
      const from = shiftedDay(until, 1 - query.days);
      const say = (key: string, day: string): string =>
        this.texts.say(locale, `resources.${key}`, { day: formatDay(locale, day) });
      const isAfter = newest !== null && newest < from;
      const count = region === null && !isAfter ? shown.filter(({ window }) => window.changes === 0).length : 0;
      return {
        data: await this.show(read, cite, frame, shown, context),
        window: { from, to: until },
        notices: [
          ...(isAhead ? [say('window_ahead', until)] : []),
          ...(isAfter ? [say('window_after', newest)] : []),
          ...(count > 0 ? [this.texts.say(locale, 'resources.window_zero', { count })] : []),
          ...notStored,
        ],
      };
    });
  }

  private async show(
    read: Read,
    cite: Citations,
    { coverage, until, days }: Frame,
    measured: readonly Measured[],
    { locale }: RequestContext,
  ): Promise<CountryHeat[]> {
    const codes = measured.map(({ code }) => code);
    const regions = await read<RegionRow>(REGIONS_OF_CODES, [codes]);
    const names = new Map(regions.map(({ code, name }) => [code, name[locale]]));
    const top = await read<TopChangeRow>(TOP_CHANGES, [coverage, until, days, codes, locale]);
    return measured.map(({ code, heat, basis, window, windows, below, equal }) => {
      const own = top.filter(({ region }) => region === code);
      return {
        country: { code, name: names.get(code) ?? code },
        heat,
        basis,
        counts: { ...window, windows, below, equal },
        changes: own.map(({ id, headline }) => ({ id, ...this.urls.links(locale, ['changes', id]), headline })),
        sources: cite.sources([...new Set(own.flatMap(({ sources }) => sources))].sort()),
      };
    });
  }
}

async function newestDay(read: Read, coverage: string, region: string | null): Promise<string | null> {
  const [newest] =
    region === null
      ? await read<{ day: string | null }>(NEWEST_DAY, [coverage])
      : await read<{ day: string | null }>(NEWEST_DAY_OF_REGION, [coverage, region]);
  return newest?.day ?? null;
}

async function unheated(read: Read, region: string, { locale }: RequestContext): Promise<CountryHeat[]> {
  const regions = await read<RegionRow>(ONE_REGION, [region]);
  const { heat, basis, windows, below, equal } = UNHEATED;
  return regions.map(({ code, name }) => ({
    country: { code, name: name[locale] },
    heat,
    basis,
    counts: { ...EMPTY, windows, below, equal },
    changes: [],
    sources: [],
  }));
}

const bounds = ({ coverage, until, days }: Frame): unknown[] => [coverage, until, days, Math.floor(SPAN / days) * days];

async function measureAll(read: Read, frame: Frame): Promise<Measured[]> {
  const rows = await read<WindowRow>(WINDOWS, bounds(frame));
  const byRegion = new Map<string, WindowRow[]>(rows.map(({ region }) => [region, []]));
  for (const row of rows) byRegion.get(row.region)?.push(row);
  return [...byRegion]
    .map(([code, own]) => measure(code, own, rows))
    .sort(
      (a, b) =>
        (b.heat ?? -1) - (a.heat ?? -1) || b.window.importance - a.window.importance || (a.code < b.code ? -1 : 1),
    );
}

async function measureOne(read: Read, frame: Frame, region: string): Promise<Measured> {
  const own = await read<WindowRow>(WINDOWS_OF_REGION, [...bounds(frame), region]);
  const peers = earlierAlike(own).length >= OWN_WINDOWS ? [] : await read<WindowRow>(WINDOWS, bounds(frame));
  if (own.length === 0) {
    const ever = await read<{ day: string | null }>(NEWEST_DAY_OF_REGION, [frame.coverage, region]);
    if (ever[0]?.day == null) return { code: region, window: EMPTY, ...UNHEATED };
  }
  return measure(region, own, peers);
}

function measure(code: string, own: readonly WindowRow[], all: readonly WindowRow[]): Measured {
  const earlier = earlierAlike(own);
  const peers =
    earlier.length >= OWN_WINDOWS ? [] : all.filter((row) => isAlike(row, own) && (row.age > 0 || row.region !== code));
  const { changes, importance } = own.find(({ age }) => age === 0) ?? EMPTY;
  const sums = (windows: readonly WindowRow[]) => windows.map((window) => window.importance);
  return { code, window: { changes, importance }, ...heatOf({ changes, importance }, sums(earlier), sums(peers)) };
}

const earlierAlike = (own: readonly WindowRow[]): WindowRow[] => own.filter((row) => row.age > 0 && isAlike(row, own));

/**
 * A window with a retrieved vintage holds what was published for months, so only such windows compare with it: else
 * every import would be a peak. Windows without an important change compare with none.
 */
function isAlike({ retrieved, changes }: WindowRow, own: readonly WindowRow[]): boolean {
  const window = own.find(({ age }) => age === 0);
  return changes > 0 && (window === undefined || window.retrieved === retrieved);
}
