import type { Schemas } from './routes.js';

/** What the service refused, or could not do. `code` is stable; `/docs/errors` describes each. */
export class TidemarkError extends Error {
  override readonly name = 'TidemarkError';
  readonly code: Schemas['Problem']['code'];
  readonly status: number;
  readonly requestId: string;
  /** The parameters that are not valid, or the unknown name with the nearest ones. */
  readonly faults: readonly Schemas['ParameterFault'][];

  constructor(
    readonly problem: Schemas['Problem'],
    /** Seconds after which the same request may succeed; null if the service named none. */
    readonly retryAfter: number | null,
  ) {
    super(`${problem.code}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
    this.requestId = problem.requestId;
    this.faults = problem.errors ?? [];
  }
}

/** Something between this client and the service answered in its place. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';

  constructor(
    readonly status: number,
    url: string,
  ) {
    super(`${url} answered ${status} without an answer of the service`);
  }
}
