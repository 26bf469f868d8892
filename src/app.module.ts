import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ApiKeyGuard, REFUSALS } from './access/api-key.guard.js';
import { KeyRing } from './access/key-ring.js';
import { Addresses } from './answers/addresses.service.js';
import { Archive } from './answers/archive.service.js';
import { Cursors } from './answers/cursors.service.js';
import { Pulse } from './database/pulse.js';
import { Readers } from './database/readers.js';
import { AnswerCache } from './http/answer-cache.js';
import { ApiErrorFilter } from './http/api-error.filter.js';
import { EnvelopeInterceptor } from './http/envelope.interceptor.js';
import { HomeController } from './http/home.controller.js';
import { Load } from './http/load.js';
import { MakingGuard } from './http/making.guard.js';
import { Pages } from './http/pages.service.js';
import { ParametersPipe } from './http/parameters.js';
import { Presenter } from './http/presenter.service.js';
import { Problems } from './http/problem.service.js';
import { Responder } from './http/respond.service.js';
import { HTTP_SETTINGS } from './http/settings.js';
import { UnknownPathController } from './http/unknown-path.controller.js';
import { PlanLimiter } from './limits/plan-limiter.js';
import { PlanThrottlerGuard } from './limits/plan-throttler.guard.js';
import { LocaleModule } from './locale/locale.module.js';
import { Log } from './log/log.js';
import { McpBodyGuard } from './mcp/mcp-body.guard.js';
import { McpModule } from './mcp/mcp.module.js';
import { Metrics } from './metrics/metrics.js';
import { States } from './metrics/states.js';
import { RESOURCES } from './resources/index.js';
import type { ServerParts } from './server-parts.js';

/**
 * The gate, in its order: identify → admit (check and count in one step, or refuse and count nothing) →
 * accept → validate → handle. An MCP body is read before it is admitted, because it says what it costs; and what there
 * is no room for is refused before it is counted. Whatever is thrown on the way becomes an error of the one table.
 */
const GATE: Provider[] = [
  { provide: APP_GUARD, useClass: ApiKeyGuard },
  { provide: APP_GUARD, useClass: McpBodyGuard },
  { provide: APP_GUARD, useClass: MakingGuard },
  { provide: APP_GUARD, useClass: PlanThrottlerGuard },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_PIPE, useClass: ParametersPipe },
  { provide: APP_FILTER, useClass: ApiErrorFilter },
];

@Module({ imports: [DiscoveryModule], controllers: [UnknownPathController] })
class UnknownPathModule {}

@Module({})
export class AppModule {
  static of(parts: ServerParts): DynamicModule {
    const cache = new AnswerCache(parts.http.cacheBytes);
    parts.states.watchCache('http', cache);
    const made: Provider[] = [
      { provide: Readers, useValue: parts.readers },
      { provide: Pulse, useValue: parts.pulse },
      { provide: KeyRing, useValue: parts.keyRing },
      { provide: PlanLimiter, useValue: parts.limiter },
      { provide: REFUSALS, useValue: parts.failedAttempts },
      { provide: Log, useValue: parts.log },
      { provide: Load, useValue: parts.load },
      { provide: HTTP_SETTINGS, useValue: parts.http },
      { provide: AnswerCache, useValue: cache },
      { provide: Metrics, useValue: parts.metrics },
      { provide: States, useValue: parts.states },
      { provide: Addresses, useValue: new Addresses(parts.http.baseUrl) },
      { provide: Cursors, useValue: new Cursors(parts.peppers.derive('cursor')) },
    ];
    const services = [Archive, Problems, Responder, Presenter, Pages];
    return {
      module: AppModule,
      global: true,
      // The last of all: it takes every path that nothing else takes.
      imports: [LocaleModule, ...RESOURCES, McpModule.of(parts.http.baseUrl), UnknownPathModule],
      controllers: [HomeController],
      providers: [...made, ...services, ...GATE],
      exports: [...made, ...services].map((provider) =>
        'provide' in provider ? provider.provide : provider,
      ),
    };
  }
}
