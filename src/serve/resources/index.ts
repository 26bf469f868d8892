import { AlertsModule } from './alerts/alerts.module.js';
import { BriefsModule } from './briefs/briefs.module.js';
import { AheadModule } from './ahead/ahead.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { CompaniesModule } from './companies/companies.module.js';
import { EntitiesModule } from './entities/entities.module.js';
import { CoverageModule } from './coverage/coverage.module.js';
import { FollowingModule } from './following/following.module.js';
import { MacroModule } from './macro/macro.module.js';
import { MarketsModule } from './markets/markets.module.js';
import { HeatModule } from './heat/heat.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { SeriesModule } from './series/series.module.js';
import { SignalsModule } from './signals/signals.module.js';
import { SearchModule } from './search/search.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { TopicsModule } from './topics/topics.module.js';

/** Every resource of the service: a new one is a folder and a line here. */
export const RESOURCES = [
  ChangesModule,
  CoverageModule,
  TopicsModule,
  CompaniesModule,
  EntitiesModule,
  MacroModule,
  MarketsModule,
  SeriesModule,
  SignalsModule,
  HeatModule,
  BriefsModule,
  FollowingModule,
  AlertsModule,
  SearchModule,
  AheadModule,
  SourcesModule,
  ReceiptsModule,
];
