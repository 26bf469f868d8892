import { Controller, Get, Param, Req } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { formatDay, formatPeriod } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { ChangeId } from '../../serve/resources/changes/changes-query.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import type { Receipt } from '../../serve/resources/receipts/receipt.schema.js';
import { ReceiptsService } from '../../serve/resources/receipts/receipts.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { cellText, differenceText, shownText } from './shown-figure.js';
import { lineChart, type Chart, type ChartPoint } from './chart.js';
import { PublicPages } from './public-pages.service.js';
import { receiptView } from './receipt.view.js';
import { bandOf } from './series-band.js';
import { datasetOf, sourcesView } from './source.view.js';

/** The number of periods in the chart of a change. */
const PERIODS = 40;

@SitePage()
@Controller('changes')
export class ChangePageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly changes: ChangesService,
    private readonly macro: MacroService,
    private readonly receipts: ReceiptsService,
    private readonly texts: Texts,
  ) {}

  @Get(':id')
  show(@Req() request: ApiRequest, @Param('id', { schema: ChangeId }) id: string) {
    return this.pages.page(request, `change ${id}`, async (context) => {
      const { locale } = context;
      const [change, receipt] = await Promise.all([
        this.changes.find(id, context),
        this.receipts.ofChange(id, context),
      ]);
      const { data } = change;
      const path = `/changes/${id}`;
      return {
        view: 'change',
        model: {
          title: data.headline,
          path,
          description: data.summary,
          listed: true,
          jsonLd: datasetOf(
            { name: data.headline, description: data.summary, url: data.url, result: change },
            locale,
          ),
          change: data,
          day: formatDay(locale, data.occurredAt.slice(0, 10)),
          figure: this.figure(data, context),
          corrections: data.corrections.map(({ correctedAt, actual }) => ({
            day: formatDay(locale, correctedAt.slice(0, 10)),
            figure: cellText({ value: actual, decimals: data.figure?.actual.decimals ?? 0 }),
          })),
          subjectPath: subjectPath(data),
          chart: await this.chart(data, receipt.data, context),
          receipt: receiptView(receipt.data, path, locale),
          ...sourcesView([change, receipt], locale),
          api: data.url,
        },
      };
    });
  }

  @Get(':id/receipt.json')
  receipt(@Req() request: ApiRequest, @Param('id', { schema: ChangeId }) id: string) {
    return this.pages.json(request, `receipt ${id}`, (context) => this.receipts.ofChange(id, context));
  }

  private figure({ figure }: ChangeDetail, { locale }: RequestContext) {
    if (figure === null) return null;
    const { actual, previous } = figure;
    return {
      text: shownText(actual, locale, this.texts),
      period: formatPeriod(locale, figure.period),
      previous: shownText(previous, locale, this.texts),
      previousPeriod: previous.period === null ? '' : formatPeriod(locale, previous.period),
      delta: differenceText(previous, actual, locale),
    };
  }

  /** For a move, the prices that its rule read; for any other change, its series until now. */
  private async chart(
    change: ChangeDetail,
    receipt: Receipt,
    context: RequestContext,
  ): Promise<Chart | null> {
    const { subject, figure, kind } = change;
    if (figure === null) return null;
    const title = this.texts.say(context.locale, 'site.figure.vintage_chart', { name: subject.name });
    const marked = figure.period;
    if (subject.type === 'instrument') {
      const points = receipt.inputs.map(({ period, value }) => ({ label: period, value }));
      return lineChart(points, { title: subject.name, locale: context.locale, marked });
    }
    const points = await this.series(subject.key, marked, context);
    const before = kind === 'revision' ? figure.previous.value : null;
    return lineChart(points, { title, locale: context.locale, steps: kind === 'decision', marked, before });
  }

  private async series(key: string, period: string, context: RequestContext): Promise<ChartPoint[]> {
    const [indicator = '', region = ''] = key.split('@');
    const query = { locale: context.locale, region: [region] };
    const [series, vintages] = await Promise.all([
      this.macro.find(indicator, { ...query, vintages: 'newest' }, context),
      this.macro.find(indicator, { ...query, vintages: 'all' }, context),
    ]);
    const points = bandOf(
      series.data.series[0]?.observations ?? [],
      vintages.data.series[0]?.observations ?? [],
    );
    const at = points.findIndex(({ label }) => label === period);
    const end = Math.min(points.length, at < 0 ? points.length : at + PERIODS / 4);
    return points.slice(Math.max(0, end - PERIODS), end);
  }
}

function subjectPath({ subject }: ChangeDetail): string | null {
  if (subject.type === 'instrument') return `/markets/${subject.key}`;
  return subject.type === 'series' ? `/macro/${subject.key.replace('@', '/')}` : null;
}
