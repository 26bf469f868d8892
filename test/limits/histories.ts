import fc from 'fast-check';

/** What happens to several instances that share a Redis, in milliseconds since the start. */
export interface History {
  readonly instances: number;
  readonly accounts: readonly AccountHistory[];
  readonly faults: readonly Fault[];
}

interface AccountHistory {
  readonly perMinute: number;
  /** How many instances have seen it before. */
  readonly seenBy: number;
  readonly bursts: readonly Burst[];
}

/** `times` the limit, dealt to `width` instances from the one at `from`. */
interface Burst {
  readonly at: number;
  readonly times: number;
  readonly from: number;
  readonly width: number;
}

/** `ms`: a delay for each direction, how long a fault lasts, or a step of the clock. */
export interface Fault {
  readonly at: number;
  readonly kind: 'delay' | 'stall' | 'kill' | 'flush' | 'cut' | 'end' | 'clock' | 'outage';
  readonly ms: number;
  /** The instance concerned; Redis is slow for all where it is beyond the last. */
  readonly instance: number;
}

const LASTS_MS = 2_000;
const BEYOND = 12;

const burst = fc.record({
  at: fc.nat(LASTS_MS),
  times: fc.oneof(
    fc.integer({ min: 3, max: 20 }).map((tenths) => tenths / 10),
    fc.integer({ min: 2, max: 20 }),
  ),
  from: fc.nat(7),
  width: fc.integer({ min: 1, max: 8 }),
});

/** Large limits cost many requests, and mostly repeat what small ones show. */
const limit = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1, 5) },
  { weight: 1, arbitrary: fc.constantFrom(60, 120) },
);

const instance = fc.nat(BEYOND);
const at = fc.nat(LASTS_MS);

/** While Redis is late, but reachable: round trips of up to 400 ms, and stalls. */
const lateness = fc.oneof(
  fc.record({ at, kind: fc.constant('delay' as const), ms: fc.nat(200), instance }),
  fc.record({
    at,
    kind: fc.constant('stall' as const),
    ms: fc.integer({ min: 50, max: 500 }),
    instance: fc.constant(0),
  }),
  fc.record({ at, kind: fc.constant('clock' as const), ms: fc.integer({ min: -90_000, max: 90_000 }), instance }),
  fc.record({ at, kind: fc.constant('end' as const), ms: fc.constant(0), instance }),
);

const absence = fc.record({
  at,
  kind: fc.constantFrom('kill' as const, 'flush' as const, 'stall' as const, 'cut' as const, 'outage' as const),
  ms: fc.integer({ min: 1_000, max: 3_000 }),
  instance,
});

/** `late`: Redis is always reachable. `away`: it is also killed, flushed, cut off, or silent for seconds, or killed for more than a minute. */
export function histories(accounts: number, redis: 'late' | 'away'): fc.Arbitrary<History> {
  return fc.record({
    instances: fc.integer({ min: 2, max: 8 }),
    accounts: fc.array(
      fc.record({
        perMinute: limit,
        seenBy: fc.nat(8),
        bursts: fc.array(burst, { minLength: 1, maxLength: 3, size: 'max' }),
      }),
      { minLength: 1, maxLength: accounts, size: 'max' },
    ),
    faults: fc.array(redis === 'late' ? lateness : fc.oneof(lateness, absence), { minLength: 1, maxLength: 5 }),
  });
}

/** Whether an instance may take Redis for absent: it was gone, or was silent for a second. */
export function isAbsence({ kind, ms }: Fault): boolean {
  return (
    kind === 'kill' || kind === 'flush' || kind === 'cut' || kind === 'outage' || (kind === 'stall' && ms >= 1_000)
  );
}

/** A private Redis keeps nothing when it is killed or flushed. */
export function losesMemory({ kind }: Fault): boolean {
  return kind === 'kill' || kind === 'flush';
}
