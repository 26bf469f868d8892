import { Injectable } from '@nestjs/common';
import type { CallContext } from '../../access/call-context.js';
import { Addresses } from '../../answers/addresses.service.js';
import { Archive } from '../../answers/archive.service.js';
import type { Result } from '../../answers/result.js';
import type { Read } from '../../database/snapshots.js';
import { shiftedDay } from '../../figures/periods.js';
import type { Citations } from '../../sources/citations.js';
import { requireMember, resolveRegion } from '../closed-sets.js';
import {
  NAMED_REGIONS,
  NEWEST_DAY,
  NEWEST_DAY_OF_REGION,
  ONE_REGION,
  TOP_CHANGES,
  WINDOWS,
  WINDOWS_OF_REGION,
  type RegionRow,
  type TopChangeRow,
  type WindowRow,
} from './heat-rows.js';
import { heatOf, OWN_WINDOWS, UNHEATED, type Heat, type Window } from './heat.rule.js';
import type { CountryHeat, HeatQuery } from './heat.schema.js';

/** How far back windows are compared, in days: ten years, of which only whole windows count. */
const SPAN = 3_653;
const ALL_COVERAGE = '';
const EMPTY: Window = { changes: 0, importance: 0 };

interface Frame {
  readonly coverage: string;
  readonly until: string;
  readonly days: number;
}

interface Measured extends Heat {
  readonly code: string;
  readonly window: Window;
}

/** How much changed in a country against its own normal: docs/heat.md. It measures change, never risk. */
@Injectable()
export class HeatService {
  constructor(
    private readonly archive: Archive,
    private readonly addresses: Addresses,
  ) {}

  /** One economy, or the countries with any change up to the window's end, hottest first. */
  list(query: HeatQuery, call: CallContext): Promise<Result<CountryHeat[]>> {
    return this.archive.answer('changes', call, async (read, cite) => {
      await requireMember(read, 'coverage', query.coverage);
      const country =
        query.country === undefined ? null : await resolveRegion(read, 'country', query.country);
      const coverage = query.coverage ?? ALL_COVERAGE;
      const until = query.until ?? (await newestDay(read, coverage, country));
      if (until === null) return { data: country === null ? [] : await unheated(read, country, call) };
      const frame = { coverage, until, days: query.days };
      const measured =
        country === null ? await measureAll(read, frame) : [await measureOne(read, frame, country)];
      const shown = measured.slice(0, query.limit);
      return {
        data: await this.show(read, cite, frame, shown, call),
        window: { from: shiftedDay(until, 1 - query.days), to: until },
      };
    });
  }

  private async show(
    read: Read,
    cite: Citations,
    { coverage, until, days }: Frame,
    measured: readonly Measured[],
    { locale }: CallContext,
  ): Promise<CountryHeat[]> {
    const codes = measured.map(({ code }) => code);
    const regions = await read<RegionRow>(NAMED_REGIONS, [codes]);
    const names = new Map(regions.map(({ code, name }) => [code, name[locale]]));
    const top = await read<TopChangeRow>(TOP_CHANGES, [coverage, until, days, codes, locale]);
    return measured.map(({ code, heat, basis, window, windows, below, equal }) => {
      const own = top.filter(({ region }) => region === code);
      return {
        country: { code, name: names.get(code) ?? code },
        heat,
        basis,
        counts: { ...window, windows, below, equal },
        changes: own.map(({ id, headline }) => ({ id, url: this.addresses.of('changes', id), headline })),
        sources: cite.sources([...new Set(own.flatMap(({ sources }) => sources))].sort()),
      };
    });
  }
}

async function newestDay(read: Read, coverage: string, country: string | null): Promise<string | null> {
  const [newest] =
    country === null
      ? await read<{ day: string | null }>(NEWEST_DAY, [coverage])
      : await read<{ day: string | null }>(NEWEST_DAY_OF_REGION, [coverage, country]);
  return newest?.day ?? null;
}

async function unheated(read: Read, country: string, { locale }: CallContext): Promise<CountryHeat[]> {
  const regions = await read<RegionRow>(ONE_REGION, [country]);
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

const bounds = ({ coverage, until, days }: Frame): unknown[] => [
  coverage,
  until,
  days,
  Math.floor(SPAN / days) * days,
];

async function measureAll(read: Read, frame: Frame): Promise<Measured[]> {
  const rows = await read<WindowRow>(WINDOWS, bounds(frame));
  const byRegion = new Map<string, WindowRow[]>(rows.map(({ region }) => [region, []]));
  for (const row of rows) byRegion.get(row.region)?.push(row);
  return [...byRegion]
    .map(([code, own]) => measure(code, own, rows))
    .sort(
      (a, b) =>
        (b.heat ?? -1) - (a.heat ?? -1) ||
        b.window.importance - a.window.importance ||
        (a.code < b.code ? -1 : 1),
    );
}

async function measureOne(read: Read, frame: Frame, country: string): Promise<Measured> {
  const own = await read<WindowRow>(WINDOWS_OF_REGION, [...bounds(frame), country]);
  const earlier = own.filter(({ age }) => age > 0).length;
  const peers = earlier >= OWN_WINDOWS ? [] : await read<WindowRow>(WINDOWS, bounds(frame));
  if (own.length === 0) {
    const ever = await read<{ day: string | null }>(NEWEST_DAY_OF_REGION, [frame.coverage, country]);
    if (ever[0]?.day == null) return { code: country, window: EMPTY, ...UNHEATED };
  }
  return measure(country, own, peers);
}

function measure(code: string, own: readonly WindowRow[], all: readonly WindowRow[]): Measured {
  const window = own.find(({ age }) => age === 0);
  const earlier = own.filter(({ age }) => age > 0).map(({ importance }) => importance);
  const peers =
    earlier.length >= OWN_WINDOWS
      ? []
      : all.filter(({ region, age }) => age > 0 || region !== code).map(({ importance }) => importance);
  const { changes, importance } = window ?? EMPTY;
  return { code, window: { changes, importance }, ...heatOf({ changes, importance }, earlier, peers) };
}
