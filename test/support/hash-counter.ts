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
    hash: (...given: Parameters<typeof hash>) => ((counts.hash += 1), begun.push(String(given[0])), hash(...given)),
    verify: (...given: Parameters<typeof verify>) => (
      (counts.verify += 1),
      begun.push(String(given[1])),
      verify(...given)
    ),
  };
  Object.assign(argon2, counted);
  return { counts, begun, release: () => void Object.assign(argon2, { hash, verify }) };
}

/** Hashes stay real but cost a fraction; verifying reads the cost from the hash. */
export function useCheapHashes(): { release(): void } {
  const { hash } = argon2;
  const cheap = (...[password, options]: Parameters<typeof hash>) =>
    hash(password, { ...options, memoryCost: 1_024, timeCost: 1, raw: false });
  Object.assign(argon2, { hash: cheap });
  return { release: () => void Object.assign(argon2, { hash }) };
}
