import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { I18nJsonLoader, I18nModule, QueryResolver } from 'nestjs-i18n';
import { DEFAULT_LOCALE } from './locale.js';
import { Texts } from './texts.service.js';

/** Words in three languages. The library's middleware stays off: every call names its language. */
@Global()
@Module({
  imports: [
    I18nModule.forRoot({
      fallbackLanguage: DEFAULT_LOCALE,
      loader: I18nJsonLoader,
      loaderOptions: { path: join(import.meta.dirname, 'messages') },
      // Without any the library complains; with its middleware off none is ever asked.
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
