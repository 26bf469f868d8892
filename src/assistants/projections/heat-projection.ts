import { z } from 'zod';
import type { CountryHeat } from '../../serve/resources/heat/heat.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';

export const ProjectedHeat = z.looseObject({
  country: z.looseObject({ code: z.string(), name: z.string() }),
  heat: z.number().nullable(),
  basis: z.string().nullable(),
  changes: z.array(z.looseObject({ headline: z.string(), url: z.string() })),
  sources: z.array(z.string()),
});

/** The heat of a country with links to its most important changes. */
export function projectedHeat({ counts, changes, ...one }: CountryHeat): z.input<typeof ProjectedHeat> {
  const { below: _below, equal: _equal, ...shown } = counts;
  return {
    ...one,
    ...(one.heat !== null && { counts: shown }),
    changes: changes.map((change) => ({ headline: change.headline, url: linkOf(change) })),
  };
}
