/** The bytes of an answer with the tag under which the service confirms them. */
export interface StoredAnswer {
  readonly etag: string;
  readonly body: string;
}

/** Where answers are kept by URL. One store belongs to one account: answers depend on its plan and follows. */
export interface EtagStore {
  get(url: string): StoredAnswer | undefined | Promise<StoredAnswer | undefined>;
  set(url: string, answer: StoredAnswer): void | Promise<void>;
}

/** Keeps the answers that were used last. */
export class MemoryStore implements EtagStore {
  private readonly answers = new Map<string, StoredAnswer>();

  constructor(private readonly most = 200) {}

  get(url: string): StoredAnswer | undefined {
    const found = this.answers.get(url);
    if (found !== undefined) this.set(url, found);
    return found;
  }

  set(url: string, answer: StoredAnswer): void {
    this.answers.delete(url);
    this.answers.set(url, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > this.most && oldest !== undefined) this.answers.delete(oldest);
  }
}
