import type { Caller } from '../access/caller.js';
import { ApiError } from '../errors/api-error.js';
import { dayOf } from '../figures/periods.js';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../locale/locale.js';
import { PLAN_TERMS, type PlanTerms } from '../plans/plans.js';
import { dataVersionIn } from './cursors.service.js';

/** Parameters as they were sent, not validated yet: a parsed query, or the arguments of a tool. */
export type SentParameters = Readonly<Record<string, unknown>>;

/** What the pipeline knows of a request. It is made once, before anything else looks at the request. */
export class RequestContext {
  /** The key guard sets it. */
  caller?: Caller;
  /** What the plan opens. It is the smallest plan's where the answer does not depend on the plan. */
  reach: PlanTerms = PLAN_TERMS.free;
  private sent: SentParameters | undefined;

  constructor(
    /** `x-request-id` of the response. */
    readonly id: string,
    /** By the service's clock, which tests replace. */
    readonly receivedAt: Date,
    /** As sent, without the query. */
    readonly path: string,
    private readonly parse: () => SentParameters,
  ) {}

  /** Parsed on first use: a request that is refused earlier does not pay for it. */
  get query(): SentParameters {
    return (this.sent ??= this.parse());
  }

  /** MCP sends the parameters in the body. */
  set query(sent: SentParameters) {
    this.sent = sent;
  }

  get locale(): Locale {
    return this.namedLocale ?? DEFAULT_LOCALE;
  }

  /** The locale that the parameters name, where they name one that exists, and name it once. */
  get namedLocale(): Locale | undefined {
    const { locale } = this.query;
    return isLocale(locale) ? locale : undefined;
  }

  /** The UTC day on which defaults that depend on today are resolved, `YYYY-MM-DD`. */
  get today(): string {
    return dayOf(this.receivedAt);
  }

  /** The data version of the page before, from the cursor: no older state may serve this one. 0 for the first page. */
  get notBefore(): number {
    return dataVersionIn(this.query['cursor']);
  }

  /** @throws ApiError `missing_key` before the key guard has passed the request */
  get accountId(): string {
    if (this.caller === undefined) throw new ApiError('missing_key');
    return this.caller.accountId;
  }
}
