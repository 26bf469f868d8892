import { Global, Module } from '@nestjs/common';
import { CLOCK, type Clock } from '../domain/config/clock.js';
import { AheadModule } from '../serve/resources/ahead/ahead.module.js';
import { BriefsModule } from '../serve/resources/briefs/briefs.module.js';
import { ChangesModule } from '../serve/resources/changes/changes.module.js';
import { CompaniesModule } from '../serve/resources/companies/companies.module.js';
import { MacroModule } from '../serve/resources/macro/macro.module.js';
import { MarketsModule } from '../serve/resources/markets/markets.module.js';
import { ReceiptsModule } from '../serve/resources/receipts/receipts.module.js';
import { SignalsModule } from '../serve/resources/signals/signals.module.js';
import { PageResponses } from './site/page-responses.service.js';
import { BriefPageController } from './pages/brief-page.controller.js';
import { CalendarPageController } from './pages/calendar-page.controller.js';
import { ChangePageController } from './pages/change-page.controller.js';
import { CompanyPageController } from './pages/company-page.controller.js';
import { MarketPageController } from './pages/market-page.controller.js';
import { PublicPages } from './pages/public-pages.service.js';
import { SeriesPageController } from './pages/series-page.controller.js';
import { SignalPageController } from './pages/signal-page.controller.js';
import { SearchEngines } from './site/search-engines.js';
import { SiteFiles } from './site/site-files.js';
import { SiteFilesController } from './site/site-files.controller.js';
import { Views } from './site/views.service.js';

const RESOURCES = [
  AheadModule,
  BriefsModule,
  ChangesModule,
  CompaniesModule,
  MacroModule,
  MarketsModule,
  ReceiptsModule,
  SignalsModule,
];
const CONTROLLERS = [
  SiteFilesController,
  ChangePageController,
  SignalPageController,
  BriefPageController,
  SeriesPageController,
  MarketPageController,
  CompanyPageController,
  CalendarPageController,
];
const PROVIDERS = [
  { provide: SiteFiles, useFactory: () => new SiteFiles() },
  Views,
  PageResponses,
  {
    provide: SearchEngines,
    inject: [CLOCK],
    useFactory: (clock: Clock) => new SearchEngines(() => clock.monotonic()),
  },
];

/** The pages for people: layout, files and public pages. */
@Global()
@Module({
  imports: RESOURCES,
  controllers: CONTROLLERS,
  providers: [...PROVIDERS, PublicPages],
  exports: PROVIDERS,
})
export class SiteModule {}
