import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../domain/errors/errors.js';
import { languages } from '../../../domain/locale/language-names.js';
import { capitalised } from '../../../domain/locale/format.js';
import { LOCALES, type Locale } from '../../../domain/locale/locale.js';
import { Texts } from '../../../domain/locale/texts.service.js';
import { PLAN_TERMS, PLANS } from '../../../domain/plans/plans.js';
import { SerializedResponse } from '../response/serialized-response.js';
import { exampleError } from '../openapi/errors.js';
import { ErrorResponses } from '../response/error-responses.service.js';
import { changelogPage, licencesPage } from './reference-pages.js';
import { DocumentLayout, escape, type DocumentPage } from './page-layout.js';
import { HTTP_SETTINGS, type HttpSettings } from '../settings.js';

/** What the build makes of docs/: the same relative path from src/ and from dist/. */
const GUIDES = join(import.meta.dirname, '../../../../dist/guides.json');

/** A file before content coding. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  /** In addition to those of every file. */
  readonly headers?: Readonly<Record<string, string>>;
}

const REMEDIES: Record<(typeof ERRORS)[ErrorCode]['remedy'], string> = {
  retry: 'The same request may succeed later.',
  change_request: 'Change the request: the same one fails again.',
  change_key: 'Send a key or access token that is valid.',
  change_plan: 'Ask for less, or change the plan.',
  none: 'Nothing that a client can do.',
};

/** The resources that need no key, encoded once: pages and documentation files. */
@Injectable()
export class Pages {
  private readonly responses = new Map<string, SerializedResponse>();

  constructor(
    private readonly texts: Texts,
    private readonly errorResponses: ErrorResponses,
    private readonly layout: DocumentLayout,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {}

  /** The page or file at a path, if it exists. */
  find(path: string): SerializedResponse | undefined {
    return this.responses.get(path.length > 1 ? path.replace(/\/$/, '') : path);
  }

  add(files: readonly PageFile[]): void {
    for (const { path, type, text, headers: own } of files) {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=300', vary: 'accept-encoding', ...own };
      this.responses.set(path, new SerializedResponse(200, headers, 'en', Buffer.from(text)));
    }
  }

  /** The pages for people, built from the tables that the service itself uses, and the guides. */
  builtIn(): PageFile[] {
    const guides = JSON.parse(readFileSync(GUIDES, 'utf8')) as DocumentPage[];
    const pages = [
      this.home(guides),
      this.errors(),
      changelogPage(),
      licencesPage(),
      ...ERROR_CODES.map((code) => this.error(code)),
      ...guides,
    ];
    const type = 'text/html; charset=utf-8';
    return pages.map((page) => ({ path: page.path, type, text: this.layout.html(page) }));
  }

  private home(guides: readonly DocumentPage[]): DocumentPage {
    const { baseUrl } = this.settings;
    const rows = PLANS.map((plan) => {
      const { perMinute, perDay } = PLAN_TERMS[plan];
      return `<tr><th scope="row">${capitalised(plan)}</th><td>${perMinute}</td><td>${perDay.toLocaleString('en')}</td></tr>`;
    });
    const links = guides.map(({ path, title }) => `<li><a href="${path}">${escape(title)}</a></li>`);
    return {
      path: '/docs/start',
      title: 'Documentation',
      body: `<h1>Documentation</h1>
<p>Verified changes in economic and market figures, each with its source and licence, in ${languages('conjunction')}. Read-only, over HTTP as JSON: every answer is <code>{ data, meta }</code>, with the sources to show in <code>meta.sources</code>.</p>
<ul>
<li><a href="/docs">Documentation</a>: every operation, with examples and a form to try it</li>
<li><a href="/docs/openapi.json">OpenAPI document</a>, for generating a client and for tools such as Postman, which import it</li>
<li><a href="/docs/errors">Errors</a>: what each code means and what to do</li>
<li><a href="/docs/changelog">Changelog</a> of the interface, and <a href="/docs/licences">licences</a> of the figures</li>
</ul>
<pre>curl -H "Authorization: Bearer $TIDEMARK_KEY" \\
  "${escape(baseUrl)}/api/v1/changes?limit=3"</pre>
<table><caption>Requests that a plan allows, per account</caption>
<thead><tr><th scope="col">Plan</th><th scope="col">in 60 seconds</th><th scope="col">a day (UTC)</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>
<p>Every answer says in its headers how many are left; above a limit it is 429, with <code>retry-after</code>.</p>
<h2>Guides</h2><ul>${links.join('')}</ul>`,
    };
  }

  private errors(): DocumentPage {
    const rows = ERROR_CODES.map(
      (code) =>
        `<tr><td>${ERRORS[code].status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${this.title(code, 'en')}</td></tr>`,
    );
    return {
      path: '/docs/errors',
      title: 'Errors',
      body: `<h1>Errors</h1><p>Programs decide by <code>error.code</code>, which is stable. Everything is safe to retry.</p>
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Title</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
    };
  }

  private error(code: ErrorCode): DocumentPage {
    const { status, retryAfter, remedy } = ERRORS[code];
    const words = LOCALES.map(
      (locale) =>
        `<dt lang="${locale}">${this.title(code, locale)}</dt><dd lang="${locale}">${escape(this.texts.say(locale, `errors.${code}.detail`, { seconds: '…' }))}</dd>`,
    );
    return {
      path: `/docs/errors/${code}`,
      title: code,
      body: `<p><a href="/docs/errors">Errors</a></p><h1><code>${code}</code></h1>
<p>HTTP status ${status}${retryAfter ? ', with <code>retry-after</code> in whole seconds' : ''}. ${REMEDIES[remedy]}</p><dl>${words.join('')}</dl>
<h2>Such an answer</h2><pre>${escape(JSON.stringify(exampleError(code, this.errorResponses), null, 2))}</pre>`,
    };
  }

  private title(code: ErrorCode, locale: Locale): string {
    return escape(this.texts.say(locale, `errors.${code}.title`));
  }
}
