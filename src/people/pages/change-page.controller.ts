import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Result } from '../../serve/responses/result.js';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { ChangeId } from '../../serve/resources/changes/changes-query.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { unitOf } from '../../domain/figures/figure.js';
import type { MacroSeries } from '../../serve/resources/macro/macro.schema.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import { SurroundingsService } from '../../serve/resources/macro/surroundings.service.js';
import type { Receipt } from '../../serve/resources/receipts/receipt.schema.js';
import { ReceiptsService } from '../../serve/resources/receipts/receipts.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { lineChart, type Chart } from '../views/chart.js';
import { chartTitle } from '../views/chart-title.js';
import { PublicPages } from './public-pages.service.js';
import { receiptView } from '../views/receipt.view.js';
import { bandOf } from '../views/series-band.js';

/** The number of periods in the chart of a change. */
const PERIODS = 40;

@SitePage()
@Controller('changes')
export class ChangePageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly changes: ChangesService,
    private readonly macro: MacroService,
    private readonly surroundings: SurroundingsService,
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
      const subject = subjectPath(data);
      const { chart, series } = await this.drawn(data, receipt.data, context);
      // The series says whether a newer figure than its newest one is overdue.
      const isNewest = series?.data.series[0]?.observations.at(-1)?.period === data.figure?.period;
      return {
        view: 'change',
        results: [change, receipt, ...(series !== null && isNewest ? [series] : [])],
        coverage: data.figure?.period ?? '',
        model: {
          title: data.headline,
          path,
          description: data.summary,
          crumbs: [
            ...data.countries
              .slice(0, 1)
              .map((code) => ({ path: `/countries/${code}`, name: regionName(locale, code) })),
            ...(subject === null ? [] : [{ path: subject, name: data.subject.name }]),
          ],
          change: data,
          chart,
          receipt: receiptView(receipt.data, path, locale),
          api: data.url,
        },
      };
    });
  }

  @Get(':id/receipt.json')
  receipt(@Req() request: ApiRequest, @Param('id', { schema: ChangeId }) id: string) {
    return this.pages.json(request, `receipt ${id}`, (context) => this.receipts.ofChange(id, context));
  }

  /** For a move, the prices that its rule read; for any other change, its series until now. */
  private async drawn(
    change: ChangeDetail,
    receipt: Receipt,
    context: RequestContext,
  ): Promise<{ readonly chart: Chart | null; readonly series: Result<MacroSeries> | null }> {
    const { subject, figure, kind } = change;
    if (figure === null) return { chart: null, series: null };
    const { locale } = context;
    const [marked, unit] = [figure.period, unitOf(figure.actual.unit, locale).label];
    if (subject.type === 'instrument') {
      const points = receipt.inputs.map(({ period, value, printed }) => ({ label: period, value, text: printed }));
      return { chart: lineChart(points, { title: subject.name, locale, unit, marked }), series: null };
    }
    const { series, points } = await this.series(subject.key, marked, context);
    const before = kind === 'revision' ? figure.previous.value : null;
    const title = chartTitle(this.texts, locale, { name: subject.name, points });
    const steps = kind === 'decision';
    return { chart: lineChart(points, { title, locale, unit, steps, marked, before }), series };
  }

  private async series(key: string, period: string, context: RequestContext) {
    const [indicator = '', region = ''] = key.split('@');
    const query = { locale: context.locale, region: [region], vintages: 'newest' as const };
    const [series, restated] = await Promise.all([
      this.macro.find(indicator, query, context),
      this.surroundings.restated(indicator, region, context.today, context),
    ]);
    const points = bandOf(series.data.series[0]?.observations ?? [], restated.data);
    const at = points.findIndex(({ label }) => label === period);
    const end = Math.min(points.length, at < 0 ? points.length : at + PERIODS / 4);
    return { series, points: points.slice(Math.max(0, end - PERIODS), end) };
  }
}

function subjectPath({ subject }: ChangeDetail): string | null {
  if (subject.type === 'instrument') return `/markets/${subject.key}`;
  return subject.type === 'series' ? `/macro/${subject.key.replace('@', '/')}` : null;
}
