import { z } from 'zod';
import type { CalendarEvent } from '../../serve/resources/ahead/ahead.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { originsOf, ProjectedFigure, projectedFigure, projectedValue } from './figure-projection.js';
import { present } from './present.js';

export const ProjectedEvent = z.looseObject({
  id: z.string(),
  title: z.string(),
  scheduledOn: z.string(),
  status: z.string(),
  actual: ProjectedFigure,
  previous: z.looseObject({}),
  source: z.string(),
  url: z.string(),
});

/** An event without the page address for programs and what its figures repeat of it. */
export function projectedEvent(event: CalendarEvent): z.input<typeof ProjectedEvent> {
  const { url: _url, page: _page, region, indicator, actual, previous, revisedFrom, ...members } = event;
  const { estimate: _inTitle, scheduledAt, changeId, ...kept } = members;
  return {
    ...kept,
    region: region.code,
    indicator: indicator.slug,
    ...present({ scheduledAt, changeId }),
    actual: projectedFigure(actual),
    previous: projectedValue(previous),
    ...(revisedFrom && { revisedFrom: projectedValue(revisedFrom) }),
    ...originsOf([actual, previous, ...(revisedFrom ? [revisedFrom] : [])]),
    url: linkOf(event),
  };
}
