import type { Statement } from '../../src/store/snapshots.js';
import { changesStatement, type ChangeFilter } from '../../src/serve/resources/changes/change.rows.js';

// Pages of changes by filter, each with the indexes that it reads.

export const page = (filter: Partial<ChangeFilter>): Statement => changesStatement(filter, 20);

export const PAGES: readonly (readonly [string, Partial<ChangeFilter>, readonly string[]])[] = [
  ['all changes', {}, ['changes_position_key']],
  ['changes of a topic', { topic: 'inflation' }, ['change_topics_pkey', 'changes_position_key']],
  ['changes of a country', { regions: ['JP'] }, ['change_regions_pkey', 'changes_position_key']],
  ['changes of a domain', { coverage: 'prices' }, ['change_coverage_pkey', 'changes_position_key']],
  ['changes of several countries', { regions: ['CN', 'DE', 'JP'] }, ['change_regions_pkey', 'changes_position_key']],
  ['changes of two rare kinds', { kinds: ['decision', 'move'] }, ['changes_kind']],
  ['important changes', { minImportance: 95 }, ['changes_position_key']],
  ['changes of a rare kind', { kinds: ['move'] }, ['changes_kind']],
  [
    'changes of a topic in a country',
    { regions: ['JP'], topic: 'inflation' },
    ['change_regions_pkey', 'changes_position_key'],
  ],
  [
    'changes of a window',
    { occurredFrom: new Date('2021-01-01'), occurredBefore: new Date('2021-02-01') },
    ['changes_run', 'changes_position_key'],
  ],
  [
    'changes of a country in a window',
    { regions: ['JP'], occurredFrom: new Date('2021-01-01'), occurredBefore: new Date('2022-01-01') },
    ['changes_run', 'change_regions_pkey', 'changes_position_key'],
  ],
  [
    'changes published or corrected since',
    { publishedFrom: new Date('2100-01-01') },
    ['changes_amended', 'changes_position_key'],
  ],
  [
    'changes found by words',
    { words: "('~:i=cpi-inflation' | '~:inflation') & ('~:r=JP' | '~:japan')" },
    ['change_words_words', 'changes_position_key'],
  ],
];

export const RANKED: readonly (readonly [string, ChangeFilter, readonly string[]])[] = [
  ['of a country', { regions: ['JP'] }, ['change_regions_pkey', 'changes_position_key']],
  [
    'of a window',
    { occurredFrom: new Date('2021-01-01'), occurredBefore: new Date('2021-02-01') },
    ['changes_run', 'changes_position_key'],
  ],
  [
    'found by words',
    { words: "('~:i=cpi-inflation' | '~:inflation') & ('~:r=JP' | '~:japan')" },
    ['change_words_words', 'changes_position_key'],
  ],
];
