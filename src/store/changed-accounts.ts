/** The newest changes that the database lists, by version: an instance that missed more looks every caller up again. */
export const LISTED_ACCOUNTS = 1_000;
/** The most accounts of which the time of the last change is kept. */
const MOST_KEPT = 10_000;

/** Which accounts changed since an instance looked them up: plan, status, keys or identities. */
export class ChangedAccounts {
  private turn = 0;
  /** Accounts that are not in the map may have changed in this turn. */
  private floor = 0;
  private readonly turns = new Map<string, number>();

  /** Counts the heartbeats that brought changes. A lookup after one sees all of them. */
  get now(): number {
    return this.turn;
  }

  isUnchangedSince(turn: number, account: string): boolean {
    return turn >= this.floor && turn >= (this.turns.get(account) ?? 0);
  }

  /** @param accounts null if the list is incomplete: any account may have changed */
  note(accounts: readonly string[] | null): void {
    if (accounts?.length === 0) return;
    this.turn += 1;
    if (accounts === null || this.turns.size + accounts.length > MOST_KEPT) {
      this.floor = this.turn;
      this.turns.clear();
    } else for (const account of accounts) this.turns.set(account, this.turn);
  }
}
