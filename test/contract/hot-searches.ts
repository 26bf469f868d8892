// The hot statements of search.
import { SUBJECTS } from '../../src/serve/resources/search/change-query.rows.js';
import { BEGINNINGS, SIMILAR } from '../../src/serve/resources/search/forms.rows.js';
import { TEXTS, WITH_ALL, WITH_ANY } from '../../src/serve/resources/search/search.rows.js';
import type { HotQuery } from './hot-statements.js';

/** As of the newest data version, for every type. */
export const SEARCHES: readonly Omit<HotQuery, 'where'>[] = [
  {
    title: 'What a Latin word may be meant for',
    indexes: ['search_words_pkey'],
    sql: BEGINNINGS,
    parameters: [['pacific', 'steel'], 1000],
  },
  {
    title: 'What a misspelt word may be meant for',
    // The plan does not show the inside of a function.
    indexes: [],
    sql: SIMILAR,
    parameters: [['pacifc'], 1000],
  },
  {
    title: 'Search: what holds all words, or is named so',
    indexes: ['search_documents_words', 'search_names_pkey', 'search_texts_pkey'],
    sql: WITH_ALL,
    parameters: [1000, null, ['pacific steel'], "('~:pacific' | '~:pacific':*) & ('~:steel')", null],
  },
  {
    title: 'Search: what holds any of the words',
    indexes: ['search_documents_words', 'search_texts_pkey'],
    sql: WITH_ANY,
    parameters: [1000, null, "('~:通胀' | '~:物价')"],
  },
  {
    title: 'Search: the texts of a page',
    indexes: ['search_documents_pkey', 'search_texts_pkey'],
    sql: TEXTS,
    parameters: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  },
  {
    title: 'What the words of changes may be about',
    indexes: ['search_documents_words', 'search_texts_pkey'],
    sql: SUBJECTS,
    parameters: ["('~:通胀' | '~:物价')"],
  },
];
