import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  DiscoveryModule,
  RouterModule,
} from '@nestjs/core';
import { AccessModule } from './serve/access/keys/access.module.js';
import { ApiKeyGuard } from './serve/access/keys/api-key.guard.js';
import { DatabaseModule } from './store/database.module.js';
import { HealthModule } from './serve/health/health.module.js';
import { EnvelopeInterceptor } from './serve/http/response/envelope.interceptor.js';
import { CacheMissGuard } from './serve/http/overload/cache-miss.guard.js';
import { ParametersPipe } from './serve/http/request/parameters.pipe.js';
import { UnknownPathController } from './serve/http/pages/unknown-path.controller.js';
import { HttpModule } from './serve/http/http.module.js';
import { InstanceModule, type Instance } from './instance.module.js';
import { LimitsModule } from './serve/limits/limits.module.js';
import { PlanThrottlerGuard } from './serve/limits/plan-throttler.guard.js';
import { LocaleModule } from './domain/locale/locale.module.js';
import { McpBodyGuard } from './assistants/mcp-body.guard.js';
import { McpModule } from './assistants/mcp.module.js';
import { ObservabilityModule } from './serve/observability/observability.module.js';
import { ResponsesModule } from './serve/responses/responses.module.js';
import { API_PREFIX } from './serve/responses/url-builder.service.js';
import { RESOURCES } from './serve/resources/index.js';
import { PageErrorFilter } from './people/site/page-error.filter.js';
import { AccountModule } from './people/account.module.js';
import { SiteModule } from './people/people.module.js';

/**
 * The request pipeline in its order: identify the account, read an MCP body (it states the cost), refuse a cache miss
 * beyond the bound, count the request, negotiate and serve from the cache, validate, handle. The filter turns every
 * exception into an error of the error table.
 */
const PIPELINE: Provider[] = [
  { provide: APP_GUARD, useClass: ApiKeyGuard },
  { provide: APP_GUARD, useClass: McpBodyGuard },
  { provide: APP_GUARD, useClass: CacheMissGuard },
  { provide: APP_GUARD, useClass: PlanThrottlerGuard },
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
