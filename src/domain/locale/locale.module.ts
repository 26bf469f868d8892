import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { I18nJsonLoader, I18nModule, QueryResolver } from 'nestjs-i18n';
import { DEFAULT_LOCALE } from './locale.js';
import { Texts } from './texts.service.js';

/** Texts in every language. The middleware of nestjs-i18n stays off: every call names its language. */
@Global()
@Module({
  imports: [
    I18nModule.forRoot({
      fallbackLanguage: DEFAULT_LOCALE,
      loader: I18nJsonLoader,
      loaderOptions: { path: join(import.meta.dirname, 'messages') },
      // Only satisfies nestjs-i18n, which warns without a resolver; with the middleware off, it is never called.
      resolvers: [new QueryResolver(['locale'])],
      disableMiddleware: true,
      skipAsyncHook: true,
      logging: false,
    }),
  ],
  providers: [Texts],
  exports: [Texts],
})
export class LocaleModule {}
