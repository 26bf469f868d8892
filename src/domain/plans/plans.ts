/** The plan table: what each plan may reach. Read by limits, keys, the structure map and the documentation. */
export const PLANS = ['free', 'pro', 'intelligence', 'developer'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanTerms {
  /** Requests that an account is admitted in any span of 60 seconds, over all its keys, HTTP and MCP together. */
  readonly perMinute: number;
  /** Requests that an account is admitted in a UTC calendar day. */
  readonly perDay: number;
  /** Direct relations that a structure map follows from its root, up and down. */
  readonly structureDepth: number;
  /** Keys that may be live at once; a downgrade revokes none. */
  readonly liveKeys: number;
  /** Hours between sign-up and the account's first key. */
  readonly firstKeyAfterHours: number;
}

export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  free: { perMinute: 1, perDay: 400, structureDepth: 1, liveKeys: 2, firstKeyAfterHours: 24 },
  pro: { perMinute: 5, perDay: 5_000, structureDepth: 2, liveKeys: 5, firstKeyAfterHours: 0 },
  intelligence: { perMinute: 60, perDay: 20_000, structureDepth: 3, liveKeys: 10, firstKeyAfterHours: 0 },
  developer: { perMinute: 120, perDay: 100_000, structureDepth: 4, liveKeys: 20, firstKeyAfterHours: 0 },
};
