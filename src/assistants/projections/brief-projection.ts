import { z } from 'zod';
import type { Brief } from '../../serve/resources/briefs/brief.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { cited } from './change-projection.js';
import { ProjectedFigure, projectedAge, projectedFigure, projectedValue } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedBrief = z.looseObject({
  date: z.string(),
  sections: z.array(
    z.looseObject({ coverage: z.string(), items: z.array(z.looseObject({ headline: z.string(), url: z.string() })) }),
  ),
  markets: z.array(z.looseObject({ name: z.string(), last: ProjectedFigure, url: z.string() })),
  ahead: z.array(z.looseObject({ title: z.string(), scheduledOn: z.string(), url: z.string() })),
  ...cited,
});

/** A brief whose items link to their most important change. */
export function projectedBrief(brief: Brief): z.input<typeof ProjectedBrief> {
  const {
    url: _url,
    page: _page,
    sections,
    markets,
    ahead,
    stale,
    expectedBy,
    previousDate: _before,
    nextDate: _after,
    ...members
  } = brief;
  return {
    ...members,
    ...projectedAge({ stale, expectedBy }),
    sections: sections.map(({ coverage, items, omitted, ...section }) => ({
      ...section,
      ...(omitted > 0 && { omitted }),
      coverage: coverage.name,
      items: items.map((item) => projectedItem(item, brief)),
    })),
    markets: markets.map((market) => {
      const { url: _api, page: _link, text: _said, last, previous, change: _c, changePercent, ...kept } = market;
      const { source } = last;
      return {
        ...kept,
        last: projectedFigure(last),
        previous: projectedValue(previous),
        ...present({ changePercent }),
        source,
        url: linkOf(market),
      };
    }),
    ahead: ahead.map((event) => {
      const { url: _api, page: _link, region, indicator, scheduledAt, ...kept } = event;
      return {
        ...kept,
        ...present({ scheduledAt }),
        region: region.code,
        indicator: indicator.slug,
        url: linkOf(event),
      };
    }),
    url: linkOf(brief),
  };
}

function projectedItem({ figure, changes, headline }: Brief['sections'][number]['items'][number], brief: Brief) {
  const [first] = changes;
  return {
    headline,
    ...(figure && { figure: { ...projectedFigure(figure), source: figure.source } }),
    url: linkOf(first ?? brief),
  };
}
