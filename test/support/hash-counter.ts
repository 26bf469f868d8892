import argon2 from 'argon2';

/** Counts the hashes that this process computes, which stay real. */
export interface HashCounter {
  readonly counts: { hash: number; verify: number };
  /** The passwords, in the order in which their hashes began. */
  readonly begun: string[];
  /** Ends the count. */
  release(): void;
}

export function countHashes(): HashCounter {
  const { hash, verify } = argon2;
  const counts = { hash: 0, verify: 0 };
  const begun: string[] = [];
  const counted = {
    hash: (...given: Parameters<typeof hash>) => (
      (counts.hash += 1),
      begun.push(String(given[0])),
      hash(...given)
    ),
    verify: (...given: Parameters<typeof verify>) => (
      (counts.verify += 1),
      begun.push(String(given[1])),
      verify(...given)
    ),
  };
  Object.assign(argon2, counted);
  return { counts, begun, release: () => void Object.assign(argon2, { hash, verify }) };
}
