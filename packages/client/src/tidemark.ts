import { Citations, type Citation, type Sourced } from './citations.js';
import { TidemarkError, UnexpectedResponseError } from './errors.js';
import { MemoryStore, type EtagStore } from './etag-store.js';
import { retryAfter, secondsUntilAdmitted, waitByTimer, type Wait } from './pacing.js';
import type { Answer, Item, ListRoute, PagedRoute, Parameters, Route, Schemas, Source } from './routes.js';

export { MemoryStore, TidemarkError, UnexpectedResponseError };
export type { Answer, Citation, EtagStore, Item, ListRoute, PagedRoute, Parameters, Route, Schemas, Source };
export type { StoredAnswer } from './etag-store.js';
export type { Figure, Meta } from './routes.js';

export interface TidemarkOptions {
  /** Address of the service, without `/api/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Language of answers, unless a request names one; default: `en`. */
  readonly locale?: Schemas['Meta']['locale'];
  /** Time for one attempt, in milliseconds; default: 30,000. */
  readonly timeout?: number;
  /** Longest wait for a limit or a busy service in one request, in milliseconds; default: 120,000. */
  readonly maxWait?: number;
  /** Keeps answers by URL; default: the last 200 in memory. */
  readonly store?: EtagStore;
  readonly fetch?: typeof fetch;
  readonly wait?: Wait;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** The parameters may be left out where none is required. */
type Arguments<R extends Route> =
  Partial<Parameters<R>> extends Parameters<R>
    ? [parameters?: Parameters<R>, options?: RequestOptions]
    : [parameters: Parameters<R>, options?: RequestOptions];

/** Attempts after a lost connection, a time-out or an internal error: every request is safe to repeat. */
const REPEATS = 1;
const REPEAT_AFTER_MS = 1_000;

/** A client of one account. Requests may run at the same time. */
export class Tidemark {
  private readonly citations = new Citations();
  private readonly store: EtagStore;
  private readonly send: typeof fetch;
  private readonly wait: Wait;
  /** Time before which the minute of the account admits no request. */
  private admittedAt = 0;

  constructor(private readonly options: TidemarkOptions) {
    this.store = options.store ?? new MemoryStore();
    this.send = options.fetch ?? ((input, init) => fetch(input, init));
    this.wait = options.wait ?? waitByTimer;
  }

  /**
   * One answer. Waits as long as a limit demands, and repeats what a lost connection or a busy service has stopped.
   *
   * @throws TidemarkError for what the service refuses; UnexpectedResponseError; the reason of an aborted signal
   */
  async get<R extends Route>(route: R, ...[parameters, options]: Arguments<R>): Promise<Answer<R>> {
    const url = this.urlOf(route, parameters ?? {});
    const answer = JSON.parse(await this.read(url, options?.signal)) as Answer<R>;
    this.citations.add(answer.meta);
    return answer;
  }

  /** The pages of a list from `cursor` or the beginning, each requested when it is needed. */
  async *pages<R extends PagedRoute>(
    route: R,
    ...[parameters, options]: Arguments<R>
  ): AsyncGenerator<Answer<R>, void> {
    let cursor: string | null | undefined;
    do {
      const asked = Object.assign({}, parameters, cursor == null ? {} : { cursor });
      const page = await this.get(route, ...([asked, options] as unknown as Arguments<R>));
      yield page;
      cursor = page.meta.page?.nextCursor;
    } while (cursor != null);
  }

  /** The items of all pages of a list. */
  async *items<R extends ListRoute>(route: R, ...given: Arguments<R>): AsyncGenerator<Item<R>, void> {
    for await (const page of this.pages(route, ...given)) yield* page.data as Item<R>[];
  }

  /** What must be shown with a figure, a change or a signal from an answer of this client. */
  cite(sourced: Sourced): Citation {
    return this.citations.cite(sourced);
  }

  /** The sources of all answers so far, by id: the list for a page of attributions. */
  sourcesUsed(): Source[] {
    return this.citations.used();
  }

  private urlOf(route: string, parameters: Readonly<Record<string, unknown>>): string {
    const rest = new Map(Object.entries(parameters).filter(([, value]) => value != null));
    const path = route.replaceAll(/\{(\w+)\}/g, (_segment, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    const { baseUrl, locale } = this.options;
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/api/v1${path}`);
    if (locale !== undefined) url.searchParams.set('locale', locale);
    for (const [name, value] of rest) url.searchParams.set(name, String(value));
    return url.href;
  }

  /** The body of a successful answer, from the store where the service confirms it. */
  private async read(url: string, signal: AbortSignal | undefined): Promise<string> {
    let [waited, repeats] = [0, 0];
    const pause = async (milliseconds: number): Promise<boolean> => {
      waited += milliseconds;
      if (waited > (this.options.maxWait ?? 120_000)) return false;
      if (milliseconds > 0) await this.wait(milliseconds, signal);
      return true;
    };
    await pause(Math.max(0, this.admittedAt - Date.now()));
    for (;;) {
      const stored = await this.store.get(url);
      const reply = await this.attempt(url, stored?.etag, signal).catch((error: unknown) => {
        if (signal?.aborted === true || repeats >= REPEATS) throw error;
        return null;
      });
      if (reply !== null) {
        const { status, headers, body } = reply;
        this.admittedAt = Date.now() + secondsUntilAdmitted(headers) * 1_000;
        if (status === 304 && stored !== undefined) return stored.body;
        const error = errorOf(reply);
        if (error === null) {
          const etag = headers.get('etag');
          if (etag !== null) await this.store.set(url, { etag, body });
          return body;
        }
        const seconds = retryAfter(headers);
        if (seconds !== null && (await pause(seconds * 1_000))) continue;
        if (status < 500 || seconds !== null || repeats >= REPEATS) throw error;
      }
      repeats += 1;
      await pause(REPEAT_AFTER_MS);
    }
  }

  private async attempt(url: string, etag: string | undefined, signal: AbortSignal | undefined): Promise<Reply> {
    const limit = AbortSignal.timeout(this.options.timeout ?? 30_000);
    const response = await this.send(url, {
      headers: {
        authorization: `Bearer ${this.options.key}`,
        accept: 'application/json',
        ...(etag !== undefined && { 'if-none-match': etag }),
      },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    const { status, headers } = response;
    return { url, status, headers, body: await response.text() };
  }
}

/** A response that has arrived completely. */
interface Reply {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** null for an answer. */
function errorOf({ url, status, headers, body }: Reply): Error | null {
  if (headers.get('content-type')?.startsWith('application/json') !== true) {
    return new UnexpectedResponseError(status, url);
  }
  const { error } = JSON.parse(body) as { error?: Schemas['Problem'] };
  return error === undefined ? null : new TidemarkError(error, retryAfter(headers));
}
