// How the search index writes words. Import and query both use these functions.

/**
 * Positions of changes, or ids of other documents, in one index partition. The posting list of a word is at most this
 * long, so the cost of a page does not grow with the table. A new value needs a new index.
 */
export const PARTITION_SIZE = 4_096;

export const partitionOf = (position: number): number => Math.floor(position / PARTITION_SIZE);

/** Partition numbers of each tier of documents; lower tiers are searched first. */
export const PARTITIONS_PER_TIER = 1_000_000;

/** A word in one partition. Normalised words contain neither `:` nor `=`. */
export const inPartition = (partition: number | string, word: string): string => `${String(partition)}:${word}`;

const FACET_PREFIXES = { country: 'r', coverage: 'c', topic: 't', kind: 'k', indicator: 'i', instrument: 'm' } as const;

/** A filter value of a change, as a word that no text contains. */
export const facetToken = (by: keyof typeof FACET_PREFIXES, key: string): string => `${FACET_PREFIXES[by]}=${key}`;
