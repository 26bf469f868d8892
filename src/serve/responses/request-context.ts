import type { Caller } from '../access/keys/caller.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { dayOf } from '../../domain/figures/periods.js';
import { DEFAULT_LOCALE, isLocale, type Locale } from '../../domain/locale/locale.js';
import { PLAN_TERMS, type PlanTerms } from '../../domain/plans/plans.js';
import { dataVersionIn } from './cursors.service.js';

/** Parameters before validation: a parsed query, or the arguments of a tool. */
export type SentParameters = Readonly<Record<string, unknown>>;

/** What the pipeline knows of a request. It is created first, before any other code reads the request. */
export class RequestContext {
  /** The key guard sets it. */
  caller?: Caller;
  /** The plan's reach; that of the smallest plan if the response does not depend on the plan. */
  reach: PlanTerms = PLAN_TERMS.free;
  /** Found before the service runs; the reader refuses the request after the checks of the service. */
  readonly faults = new ParameterFaults();
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

  /** The locale parameter, if it is sent once and valid. */
  get namedLocale(): Locale | undefined {
    const { locale } = this.query;
    return isLocale(locale) ? locale : undefined;
  }

  /** The UTC day on which defaults that depend on today are resolved, `YYYY-MM-DD`. */
  get today(): string {
    return dayOf(this.receivedAt);
  }

  /**
   * From the cursor, the data version of the previous page: the next page reads no older version. 0 for the first page.
   */
  get notBefore(): number {
    return dataVersionIn(this.query['cursor']);
  }

  /** For looking up what a parameter names: faults of other parameters do not refuse it. */
  get lookup(): RequestContext {
    const { id, receivedAt, path, caller, reach } = this;
    const lookup = new RequestContext(id, receivedAt, path, () => this.query);
    return Object.assign(lookup, { reach, ...(caller && { caller }) });
  }

  /** @throws ApiError `missing_key` before the key guard has accepted the request */
  get accountId(): string {
    if (this.caller === undefined) throw new ApiError('missing_key');
    return this.caller.accountId;
  }
}
