import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule, RouterModule } from '@nestjs/core';
import { AccessModule } from './serve/access/keys/access.module.js';
import { DatabaseModule } from './store/database.module.js';
import { HealthModule } from './serve/health/health.module.js';
import { RequestPipeline } from './serve/http/pipeline/request-pipeline.js';
import { EnvelopeInterceptor } from './serve/http/response/envelope.interceptor.js';
import { ParametersPipe } from './serve/http/request/parameters.pipe.js';
import { UnknownPathController } from './serve/http/pages/unknown-path.controller.js';
import { HttpModule } from './serve/http/http.module.js';
import { InstanceModule, type Instance } from './instance.module.js';
import { LimitsModule } from './serve/limits/limits.module.js';
import { LocaleModule } from './domain/locale/locale.module.js';
import { McpModule } from './assistants/mcp.module.js';
import { ObservabilityModule } from './serve/observability/observability.module.js';
import { ResponsesModule } from './serve/responses/responses.module.js';
import { API_PREFIX } from './serve/responses/url-builder.service.js';
import { RESOURCES } from './serve/resources/index.js';
import { PageErrorFilter } from './people/site/page-error.filter.js';
import { AccountModule } from './people/account.module.js';
import { SiteModule } from './people/people.module.js';

/** The request pipeline in its order: admit, serve from the cache, validate, handle; the filter words every exception. */
const PIPELINE: Provider[] = [
  { provide: APP_GUARD, useExisting: RequestPipeline },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_PIPE, useClass: ParametersPipe },
  { provide: APP_FILTER, useClass: PageErrorFilter },
];

/** Matches every path without another route, so it is the last import. */
@Module({ imports: [DiscoveryModule], controllers: [UnknownPathController] })
class UnknownPathModule {}

/** The modules below the API's prefix; pages have no prefix. */
const API = [...RESOURCES, McpModule, UnknownPathModule];

@Module({})
export class AppModule {
  static of(instance: Instance, replacements: readonly Provider[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        InstanceModule.of(instance, replacements),
        LocaleModule,
        ObservabilityModule,
        DatabaseModule,
        AccessModule,
        LimitsModule,
        HealthModule,
        ResponsesModule,
        HttpModule,
        ...RESOURCES,
        SiteModule,
        AccountModule,
        McpModule.of(instance.baseUrl),
        UnknownPathModule,
        RouterModule.register(API.map((module) => ({ path: API_PREFIX, module }))),
      ],
      providers: PIPELINE,
    };
  }
}
