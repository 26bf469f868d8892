// Apart from the importers, so that the help of a command loads none of them.

/** Publishers by their names on the command line, in the order of the help. */
export const PUBLISHER_NAMES: readonly string[] = `
  worldbank ecb eia us-treasury worldbank-pinksheet frb-h15 frb bls bls-schedule bea-schedule fomc-schedule
  releases estat gleif sec`
  .trim()
  .split(/\s+/);

/** Publishers that `sync` asks: those with a live path and a timetable. Lists of releases come as files only. */
export const SYNCED_PUBLISHERS: readonly string[] = PUBLISHER_NAMES.filter((name) => name !== 'releases');
