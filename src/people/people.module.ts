import { Global, Module } from '@nestjs/common';
import { CLOCK } from '../domain/config/clock.js';
import { provider } from '../domain/config/provider.js';
import { AheadModule } from '../serve/resources/ahead/ahead.module.js';
import { BriefsModule } from '../serve/resources/briefs/briefs.module.js';
import { ChangesModule } from '../serve/resources/changes/changes.module.js';
import { CompaniesModule } from '../serve/resources/companies/companies.module.js';
import { MacroModule } from '../serve/resources/macro/macro.module.js';
import { MarketsModule } from '../serve/resources/markets/markets.module.js';
import { ReceiptsModule } from '../serve/resources/receipts/receipts.module.js';
import { SearchModule } from '../serve/resources/search/search.module.js';
import { SeriesModule } from '../serve/resources/series/series.module.js';
import { TopicsModule } from '../serve/resources/topics/topics.module.js';
import { SignalsModule } from '../serve/resources/signals/signals.module.js';
import { DocumentLayout } from '../serve/http/pages/page-layout.js';
import { SiteDocumentLayout } from './site/site-document-layout.js';
import { PageResponses } from './site/page-responses.service.js';
import { BriefPageController } from './pages/brief-page.controller.js';
import { CalendarPageController } from './pages/calendar-page.controller.js';
import { ChangePageController } from './pages/change-page.controller.js';
import { CompanyPageController } from './pages/company-page.controller.js';
import { MarketPageController } from './pages/market-page.controller.js';
import { HomePageController } from './pages/home-page.controller.js';
import { FileLinkController } from './pages/file-link.controller.js';
import { FileTables } from './pages/file-tables.service.js';
import { CountryPageController } from './pages/country-page.controller.js';
import { IndicatorPageController } from './pages/indicator-page.controller.js';
import { TopicPageController } from './pages/topic-page.controller.js';
import { SourcesPageController } from './pages/sources-page.controller.js';
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
  SearchModule,
  SeriesModule,
  SignalsModule,
  TopicsModule,
];
const CONTROLLERS = [
  SiteFilesController,
  HomePageController,
  ChangePageController,
  SignalPageController,
  BriefPageController,
  SeriesPageController,
  MarketPageController,
  CompanyPageController,
  CalendarPageController,
  CountryPageController,
  IndicatorPageController,
  TopicPageController,
  SourcesPageController,
  FileLinkController,
];
/** The pages whose tables file links open: `FileTables` calls them as the router does. */
const TABLES = [SeriesPageController, IndicatorPageController, MarketPageController, CountryPageController];
const PROVIDERS = [
  provider(SiteFiles, [], () => new SiteFiles()),
  Views,
  PageResponses,
  { provide: DocumentLayout, useClass: SiteDocumentLayout },
  provider(SearchEngines, [CLOCK], (clock) => new SearchEngines(() => clock.monotonic())),
];

/** The pages for people: layout, files and public pages. */
@Global()
@Module({
  imports: RESOURCES,
  controllers: CONTROLLERS,
  providers: [...PROVIDERS, ...TABLES, PublicPages, FileTables],
  exports: [...PROVIDERS, FileTables],
})
export class SiteModule {}
