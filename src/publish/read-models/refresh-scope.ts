/**
 * What a publication may have moved beside its own changes, figures and entities. `series`: also which series exist.
 * `names`: also the names of the catalogue. `everything`: sources or origins, or the rules of the read models. The cost of
 * `affected` and `series` does not grow with the number of stored changes.
 */
export type RefreshScope = 'affected' | 'series' | 'names' | 'everything';
