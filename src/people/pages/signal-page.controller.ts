import { Controller, Get, Param, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { ReceiptsService } from '../../serve/resources/receipts/receipts.service.js';
import { SignalId } from '../../serve/resources/signals/signal.schema.js';
import { SignalsService } from '../../serve/resources/signals/signals.service.js';
import { SitePage } from '../site/site-page.decorator.js';
import { lineChart } from '../views/chart.js';
import { PublicPages } from './public-pages.service.js';
import { receiptView } from '../views/receipt.view.js';

@SitePage()
@Controller('signals')
export class SignalPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly signals: SignalsService,
    private readonly receipts: ReceiptsService,
  ) {}

  @Get(':id')
  show(@Req() request: ApiRequest, @Param('id', { schema: SignalId }) id: string) {
    return this.pages.page(request, `signal ${id}`, async (context) => {
      const { locale } = context;
      const [signal, receipt] = await Promise.all([
        this.signals.find(id, context),
        this.receipts.ofSignal(id, context),
      ]);
      const { title, summary, url, changes } = signal.data;
      const { inputs } = receipt.data;
      const one = new Set(inputs.map(({ series }) => series)).size === 1;
      const points = one ? inputs.map(({ period, value, printed }) => ({ label: period, value, text: printed })) : [];
      const path = `/signals/${id}`;
      return {
        view: 'signal',
        results: [signal, receipt],
        coverage: '',
        model: {
          title,
          path,
          description: summary,
          signal: signal.data,
          chart: lineChart(points, { title: changes[0]?.subject.name ?? title, locale }),
          receipt: receiptView(receipt.data, path, locale),
          api: url,
        },
      };
    });
  }

  @Get(':id/receipt.json')
  receipt(@Req() request: ApiRequest, @Param('id', { schema: SignalId }) id: string) {
    return this.pages.json(request, `receipt ${id}`, (context) => this.receipts.ofSignal(id, context));
  }
}
