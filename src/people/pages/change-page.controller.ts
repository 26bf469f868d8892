import { Controller, Get, Param, Req } from '@nestjs/common';
import type { RequestContext } from '../../serve/responses/request-context.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { formatDay } from '../../domain/locale/format.js';
import { Texts } from '../../domain/locale/texts.service.js';
import type { ChangeDetail } from '../../serve/resources/changes/change.schema.js';
import { ChangeId } from '../../serve/resources/changes/changes-query.schema.js';
import { ChangesService } from '../../serve/resources/changes/changes.service.js';
import { unitOf } from '../../domain/figures/figure.js';
import { MacroService } from '../../serve/resources/macro/macro.service.js';
import type { Receipt } from '../../serve/resources/receipts/receipt.schema.js';
import { ReceiptsService } from '../../serve/resources/receipts/receipts.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { lineChart, type Chart, type ChartPoint } from '../views/chart.js';
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
      return {
        view: 'change',
        results: [change, receipt],
        coverage: data.figure?.period ?? '',
        model: {
          title: data.headline,
          path,
          description: data.summary,
          crumbs: [
            ...data.countries.slice(0, 1).map((code) => ({
              path: `/countries/${code}`,
              name: regionName(locale, code),
            })),
            ...(subject === null ? [] : [{ path: subject, name: data.subject.name }]),
          ],
          change: data,
          chart: await this.chart(data, receipt.data, context),
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
  private async chart(
    change: ChangeDetail,
    receipt: Receipt,
    context: RequestContext,
  ): Promise<Chart | null> {
    const { subject, figure, kind } = change;
    if (figure === null) return null;
    const { locale } = context;
    const [marked, unit] = [figure.period, unitOf(figure.actual.unit, locale).label];
    if (subject.type === 'instrument') {
      const points = receipt.inputs.map(({ period, value, printed }) => ({
        label: period,
        value,
        text: printed,
      }));
      return lineChart(points, { title: subject.name, locale, unit, marked });
    }
    const points = await this.series(subject.key, marked, context);
    const before = kind === 'revision' ? figure.previous.value : null;
    const isFan = points.some(({ low, high }) => low !== high);
    const named = { name: subject.name, day: formatDay(locale, context.today) };
    const title = this.texts.say(locale, `site.figure.${isFan ? 'vintage' : 'known'}_chart`, named);
    return lineChart(points, { title, locale, unit, steps: kind === 'decision', marked, before });
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
