import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Read } from '../../../store/snapshots.js';
import type { CallerLookup, AuthenticationResult, CallerRow } from './caller-lookup.js';
import { OWN_CALLER } from './caller.js';
import { hashKey, isKeyText, makeKeyText, type KeyKind } from './key-text.js';
import type { Peppers } from './peppers.js';
import { presentedKey } from './presented-key.js';

/** $1 the possible hashes of the keys, one per pepper */
export const LOOK_UP = 'SELECT * FROM find_keys($1)';

/** Verifies keys. */
export class KeyVerifier {
  private own: string | null = null;
  private readonly batch = new KeyBatch();

  constructor(
    private readonly callers: CallerLookup,
    private readonly peppers: Peppers,
  ) {}

  /** Runs `work` with a key that no account has, that nobody else knows, and that is valid until `work` ends. */
  async withOwnKey(work: (key: string) => Promise<void>): Promise<void> {
    this.own = makeKeyText();
    await work(this.own).finally(() => (this.own = null));
  }

  /** Parses the headers only while there is an own key. */
  presentsOwn(headers: IncomingHttpHeaders): boolean {
    return this.own !== null && presentedKey(headers, false).text === this.own;
  }

  /** @throws ApiError `unavailable` if the key cannot be verified now */
  async identify(text: string): Promise<AuthenticationResult> {
    return text === this.own ? { kind: 'caller', caller: OWN_CALLER } : this.find(text, 'key');
  }

  /** As `identify`, for the link of a file. */
  identifyLink(text: string): Promise<AuthenticationResult> {
    return this.find(text, 'link');
  }

  private async find(text: string, kind: KeyKind): Promise<AuthenticationResult> {
    if (!isKeyText(text, kind)) return { kind: 'unknown' };
    const hashes = this.peppers.all.map((pepper) => hashKey(text, pepper));
    const name = nameOf(hashes[0] ?? Buffer.alloc(0));
    return this.callers.find({ name, find: (read) => this.batch.find(read, hashes) });
  }
}

interface KeyRow extends CallerRow {
  readonly hash: Buffer;
}

/** Looks up the keys of one turn of the event loop in one statement: a fresh instance knows none of its callers. */
class KeyBatch {
  private hashes: Buffer[] = [];
  private reading: Promise<ReadonlyMap<string, KeyRow>> | null = null;

  /** @param hashes the possible hashes of one key */
  async find(read: Read, hashes: readonly Buffer[]): Promise<CallerRow | undefined> {
    this.hashes.push(...hashes);
    const rows = await (this.reading ??= this.readNext(read));
    return hashes.map((hash) => rows.get(nameOf(hash))).find((row) => row !== undefined);
  }

  private async readNext(read: Read): Promise<ReadonlyMap<string, KeyRow>> {
    await setImmediate();
    const { hashes } = this;
    [this.hashes, this.reading] = [[], null];
    const rows = await read<KeyRow>(LOOK_UP, [hashes]);
    return new Map(rows.map((row) => [nameOf(row.hash), row]));
  }
}

const nameOf = (hash: Buffer): string => hash.toString('base64');
