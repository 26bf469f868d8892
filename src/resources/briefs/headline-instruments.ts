/** The instruments that a brief shows, in its order: a few that stand for their market. */
export const HEADLINE_INSTRUMENTS = [
  'eurusd',
  'eurjpy',
  'eurgbp',
  'eurcny',
  'brent',
  'wti',
  'henry-hub',
  'us-par-yield-2y',
  'us-par-yield-10y',
] as const;
