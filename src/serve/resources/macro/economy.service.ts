import { Injectable } from '@nestjs/common';
import { ageOf, type Age } from '../../../domain/figures/timetable.js';
import type { Figure } from '../../../domain/figures/figure.schema.js';
import type { Localized } from '../../../domain/locale/locale.js';
import { ConsistentReader } from '../../responses/consistent-reader.service.js';
import type { RequestContext } from '../../responses/request-context.js';
import type { Result } from '../../responses/result.js';
import { resolveRegion } from '../closed-sets.rows.js';
import { STORED_INDICATORS, type IndicatorRow, type ObservationRow } from './macro.rows.js';
import { macroResource } from './macro.schema.js';
import { Observations } from './observations.view.js';

/** The newest two figures of every series of an economy. $1 region */
const LATEST_TWO_OF_REGION = `
  SELECT s.indicator, s.region, r.name AS "regionName", r.currency, s.source_id AS source, s.origins,
         o.period, o.value, o.valid_from AS "knownSince", o.valid_to IS NOT NULL AS withdrawn
  FROM series s JOIN regions r ON r.code = s.region
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (l.period) l.* FROM observations l
    WHERE l.series_id = s.id ORDER BY l.period DESC, l.valid_from DESC LIMIT 2) o
  WHERE s.region = $1 AND s.indicator IS NOT NULL ORDER BY s.indicator, o.period`;

const REGION = 'SELECT code, name FROM regions WHERE code = $1';

export interface EconomyFigure extends Age {
  readonly indicator: string;
  readonly name: string;
  readonly latest: Figure;
}

export interface EconomyFigures {
  readonly region: { readonly code: string; readonly name: string };
  readonly figures: readonly EconomyFigure[];
}

@Injectable()
export class EconomyService {
  constructor(private readonly reader: ConsistentReader) {}

  /** The newest figure of every indicator of one economy. @throws ApiError `invalid_parameter` for an unknown code */
  find(code: string, context: RequestContext): Promise<Result<EconomyFigures>> {
    const { locale, today } = context;
    return this.reader.read(macroResource, context, async (read, cite) => {
      const known = resolveRegion('country', code.toUpperCase());
      const [region] = await read<{ code: string; name: Localized }>(REGION, [known]);
      const rows = await read<ObservationRow & { indicator: string }>(LATEST_TWO_OF_REGION, [known]);
      const figures = (await read<IndicatorRow>(STORED_INDICATORS)).flatMap((one) => {
        const { slug, name, timetable } = one;
        const [first, ...more] = rows.filter((row) => row.indicator === slug);
        if (first === undefined) return [];
        const own = [first, ...more] as const;
        const newest = own.findLast(({ withdrawn }) => !withdrawn)?.period ?? null;
        const age = ageOf(timetable, newest, today);
        cite.age({ ...age, newest, series: `${slug}@${known}`, asOf: today });
        const latest = new Observations([...own], one, cite, locale).latest();
        return [{ indicator: cite.series(slug), name: name[locale], latest, ...age }];
      });
      return { data: { region: { code: known, name: region?.name[locale] ?? known }, figures } };
    });
  }
}
