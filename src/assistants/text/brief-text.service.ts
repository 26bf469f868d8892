import { Injectable } from '@nestjs/common';
import { formatDay } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Brief } from '../../serve/resources/briefs/brief.schema.js';
import { linkOf } from '../../serve/responses/url-builder.service.js';
import { EventText } from './event-text.service.js';
import { inert } from '../protocol/quoted-text.js';
import { TextRenderer } from './text-renderer.service.js';

type Section = Brief['sections'][number];
type Market = Brief['markets'][number];

/** Renders a brief as text: each headline, then its figure. */
@Injectable()
export class BriefText {
  constructor(
    private readonly renderer: TextRenderer,
    private readonly events: EventText,
  ) {}

  of(brief: Brief, locale: Locale): string[] {
    const { title, summary, state, compiledUntil, sections, markets, ahead } = brief;
    const next = ahead.map((event) => this.events.scheduled(event, locale));
    const closes = markets.map((market) => this.market(market, locale));
    return [
      inert(title),
      inert(summary),
      ...(state === 'open' ? [this.renderer.say(locale, 'brief.open')] : []),
      ...(compiledUntil === null
        ? []
        : [this.renderer.say(locale, 'brief.retrospective', { day: formatDay(locale, compiledUntil) })]),
      linkOf(brief),
      ...sections.flatMap((section) => this.section(section, locale)),
      ...(closes.length > 0 ? ['', this.renderer.say(locale, 'brief.markets'), ...closes] : []),
      ...(next.length > 0 ? ['', this.renderer.say(locale, 'brief.ahead'), ...next] : []),
    ];
  }

  private section({ coverage, items, omitted }: Section, locale: Locale): string[] {
    return [
      '',
      this.renderer.say(locale, 'brief.section', coverage),
      ...items.map((item) => this.item(item, locale)),
      ...(omitted > 0 ? [this.renderer.say(locale, 'brief.omitted', { count: omitted })] : []),
    ];
  }

  private item({ headline, figure, changes }: Section['items'][number], locale: Locale): string {
    const parts = [inert(headline)];
    if (figure !== null) {
      const { previous, source } = figure;
      const facts =
        previous === undefined
          ? this.renderer.figure(figure, locale)
          : this.renderer.compared(figure, previous, locale);
      parts.push(`${facts} [${source}]`);
    }
    const [first] = changes;
    if (first !== undefined) parts.push(linkOf(first));
    return `- ${parts.join(' · ')}`;
  }

  private market(market: Market, locale: Locale): string {
    const { name, last, previous, changePercent } = market;
    const figures = this.renderer.compared(last, previous, locale, changePercent);
    return `- ${this.renderer.say(locale, 'brief.market', { name, figures })} [${last.source}] · ${linkOf(market)}`;
  }
}
