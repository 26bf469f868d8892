import { Injectable } from '@nestjs/common';
import type { Locale } from '../locale/locale.js';
import type { Brief } from '../resources/briefs/brief.schema.js';
import { EventLines } from './event-lines.service.js';
import { Wording } from './wording.service.js';

type Section = Brief['sections'][number];
type Market = Brief['markets'][number];

/** A day's brief as lines of text, each figure under the headline that is made of it. */
@Injectable()
export class BriefLines {
  constructor(
    private readonly wording: Wording,
    private readonly events: EventLines,
  ) {}

  of({ title, summary, state, url, sections, markets, ahead }: Brief, locale: Locale): string[] {
    const next = ahead.map((event) => this.events.scheduled(event, locale));
    const closes = markets.map((market) => this.market(market, locale));
    return [
      title,
      summary,
      ...(state === 'open' ? [this.wording.say(locale, 'brief.open')] : []),
      url,
      ...sections.flatMap((section) => this.section(section, locale)),
      ...(closes.length > 0 ? ['', this.wording.say(locale, 'brief.markets'), ...closes] : []),
      ...(next.length > 0 ? ['', this.wording.say(locale, 'brief.ahead'), ...next] : []),
    ];
  }

  private section({ coverage, items, omitted }: Section, locale: Locale): string[] {
    return [
      '',
      this.wording.say(locale, 'brief.section', coverage),
      ...items.map((item) => this.item(item, locale)),
      ...(omitted > 0 ? [this.wording.say(locale, 'brief.omitted', { count: omitted })] : []),
    ];
  }

  private item({ headline, figure, changes }: Section['items'][number], locale: Locale): string {
    const parts = [headline];
    if (figure !== null) {
      const { unit, previous, source } = figure;
      const facts =
        previous === undefined
          ? this.wording.figure(figure, unit, locale)
          : this.wording.compared(figure, previous, unit, locale);
      parts.push(`${facts} [${source}]`);
    }
    const [first] = changes;
    if (first !== undefined) parts.push(first.url);
    return `- ${parts.join(' · ')}`;
  }

  private market({ name, last, previous, url }: Market, locale: Locale): string {
    const figures = this.wording.compared(last, previous, last.unit, locale);
    return `- ${this.wording.say(locale, 'brief.market', { name, figures })} [${last.source}] · ${url}`;
  }
}
