import fc from 'fast-check';
import { PLANS, type Plan } from '../../src/domain/plans/plans.js';

// Random uses of the account page by one person with two browsers: in any order, twice, at once, and with ids and links
// that are old, used or of another account. After each step, what the pages promise must be true in the database.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A link is mailed at most once a minute. */
export const MAIL_EVERY_MS = 61_000;

/** Each act with its share of the moves. */
const ACTS = {
  sign_up: 1,
  confirm: 2,
  sign_in: 3,
  guess: 1,
  sign_out: 1,
  forget: 2,
  reset: 2,
  follow_link: 2,
  change_password: 2,
  end_session: 1,
  delete: 1,
  change_plan: 2,
  make_key: 8,
  rotate_key: 12,
  revoke_key: 3,
  add_webhook: 4,
  remove_webhook: 2,
  set_mail: 1,
  send_test: 1,
} as const;
export type Act = keyof typeof ACTS;

export interface Move {
  readonly act: Act;
  readonly browser: 0 | 1;
  /** Chooses among passwords, keys, sessions, webhooks and durations. */
  readonly choice: number;
  /** Opens the page of the form first; otherwise sends the form with what the browser shows at the time. */
  readonly opens: boolean;
  /** Sends the form twice at once. */
  readonly twice: boolean;
}

/** One or two moves at the same time, after a while. */
export interface Step {
  readonly afterMs: number;
  readonly moves: readonly Move[];
}

export interface Flow {
  /** Without an account, the person signs up. */
  readonly plan: Plan | null;
  readonly steps: readonly Step[];
}

const move = fc.record<Move>({
  act: fc.oneof(...Object.entries(ACTS).map(([act, weight]) => ({ weight, arbitrary: fc.constant(act as Act) }))),
  browser: fc.constantFrom(0, 1),
  choice: fc.nat(1_000),
  opens: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  twice: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const afterMs = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(20_000, 61_000, HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(DAY_MS - 1, DAY_MS, 8 * DAY_MS, 31 * DAY_MS, 400 * DAY_MS) },
);
const step = fc.record<Step>({
  afterMs,
  moves: fc.oneof({ weight: 3, arbitrary: fc.tuple(move) }, { weight: 1, arbitrary: fc.tuple(move, move) }),
});
/** A link by mail, and its use, alone or beside another move. */
const link = fc.constantFrom<[choice: number, Act]>([0, 'follow_link'], [1, 'reset']).chain(([choice, act]) =>
  fc.tuple(move, move, fc.option(move)).map(([asked, used, beside]): Step[] => [
    { afterMs: MAIL_EVERY_MS, moves: [{ ...asked, act: 'forget', choice, opens: true }] },
    { afterMs: MAIL_EVERY_MS, moves: [{ ...used, act, opens: true }, ...(beside === null ? [] : [beside])] },
  ]),
);

export const flows: fc.Arbitrary<Flow> = fc.record({
  plan: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 9, arbitrary: fc.constantFrom(...PLANS) }),
  steps: fc
    .array(fc.oneof({ weight: 9, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: link }), {
      minLength: 3,
      maxLength: 10,
    })
    .map((steps) => steps.flat()),
});
