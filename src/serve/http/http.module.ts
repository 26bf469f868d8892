import { Global, Module } from '@nestjs/common';
import { Log } from '../log/log.js';
import { Gauges } from '../metrics/gauges.js';
import { Metrics } from '../metrics/metrics.js';
import { EventLoopMonitor } from './overload/event-loop-monitor.js';
import { ApiKeyGuard } from '../access/keys/api-key.guard.js';
import { PlanThrottlerGuard } from '../limits/plan-throttler.guard.js';
import { RequestPipeline } from './pipeline/request-pipeline.js';
import { LoadShedder, observedLoadShedder } from './overload/load-shedder.js';
import { ApiDocument } from './openapi/api-document.js';
import { HeldExamples } from './openapi/held-examples.js';
import { HomeController } from './pages/home.controller.js';
import { Pages } from './pages/pages.service.js';
import { EnvelopeSerializer } from './response/envelope-serializer.service.js';
import { ErrorResponses } from './response/error-responses.service.js';
import { KeptResponses } from './response/kept-responses.service.js';
import { ResponseCache } from './response/response-cache.js';
import { ResponseCacheKeys } from './response/response-cache-key.js';
import { ResponseWriter } from './response/response-writer.service.js';
import { HTTP_SETTINGS, type HttpSettings } from './settings.js';

const PROVIDERS = [
  ResponseCacheKeys,
  ErrorResponses,
  ResponseWriter,
  EnvelopeSerializer,
  KeptResponses,
  Pages,
  ApiDocument,
  HeldExamples,
  ApiKeyGuard,
  PlanThrottlerGuard,
  RequestPipeline,
];

/** The HTTP transport: response cache, envelope, errors, load shedding and the public pages. */
@Global()
@Module({
  controllers: [HomeController],
  providers: [
    ...PROVIDERS,
    { provide: LoadShedder, inject: [Log, Metrics, EventLoopMonitor], useFactory: observedLoadShedder },
    { provide: ResponseCache, inject: [HTTP_SETTINGS, Gauges], useFactory: openCache },
  ],
  exports: [...PROVIDERS, LoadShedder, ResponseCache],
})
export class HttpModule {}

function openCache({ cacheBytes }: HttpSettings, gauges: Gauges): ResponseCache {
  const cache = new ResponseCache(cacheBytes);
  gauges.watchCache('http', cache);
  return cache;
}
