/**
 * What a publication may have moved beside its own changes, figures and entities. `subjects`: also the names of the
 * catalogue, or which of its series exist. `everything`: sources or origins, or the rules of the read models. The cost of
 * `affected` does not grow with what is stored.
 */
export type RefreshScope = 'affected' | 'subjects' | 'everything';
