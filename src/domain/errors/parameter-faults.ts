import { ApiError, type ParameterFault } from './api-error.js';

/** The faults of the parameters of a request, at most one for each, so that one response names them all. */
export class ParameterFaults {
  private readonly found = new Map<string, ParameterFault>();

  get isEmpty(): boolean {
    return this.found.size === 0;
  }

  /** The first fault of a parameter stays. */
  add(faults: Iterable<ParameterFault>): void {
    for (const fault of faults) {
      if (!this.found.has(fault.parameter)) this.found.set(fault.parameter, fault);
    }
  }

  copy(): ParameterFaults {
    const copy = new ParameterFaults();
    copy.add(this.found.values());
    return copy;
  }

  /**
   * Runs a check of these parameters; faults that it throws join the others. Undefined if one of the parameters is at fault:
   * what the check would tell could be wrong.
   */
  async check<Found>(parameters: readonly string[], run: () => Found | Promise<Found>): Promise<Found | undefined> {
    if (parameters.some((name) => this.found.has(name))) return undefined;
    try {
      return await run();
    } catch (error) {
      this.add(faultsOf(error) ?? rethrown(error));
      return undefined;
    }
  }

  /** @throws ApiError `invalid_parameter` if there is a fault */
  refuse(): void {
    if (!this.isEmpty) throw new ApiError('invalid_parameter', { faults: [...this.found.values()] });
  }

  /**
   * The error of a request that failed: faults come before what failed later.
   * @throws ApiError always, or what failed
   */
  refuseWith(error: unknown): never {
    const all = this.copy();
    if (!this.isEmpty) all.add(faultsOf(error) ?? []);
    all.refuse();
    throw error;
  }
}

function faultsOf(error: unknown): readonly ParameterFault[] | undefined {
  return error instanceof ApiError && error.code === 'invalid_parameter' ? error.details.faults : undefined;
}

function rethrown(error: unknown): never {
  throw error;
}
