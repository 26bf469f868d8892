import { Cluster } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { RedisClient } from './redis/redis-client.js';
import { MINUTE_MS } from './window.js';

const MAX_SILENT = 1_000;
const FUTILE_MS = 1_000;

interface Recall {
  readonly done: Promise<void>;
  /** Instances that have not returned their tokens yet. */
  readonly awaited: Set<string>;
  readonly end: () => void;
}

/**
 * Asks other instances for tokens that they do not use, and returns those of this one, by messages through Redis:
 * `recall <from> <account>` and `returned <from> <account>`.
 */
export class LeaseRecalls {
  private readonly subscriber: RedisClient;
  private readonly recalls = new Map<string, Recall>();
  /** Instances that did not return their tokens in time: they may have ended. */
  private readonly silent = new LRUCache<string, true>({ max: MAX_SILENT, ttl: MINUTE_MS });
  /** Accounts whose tokens do not come back: an instance has used them, or does not know that it has them. */
  private readonly futile = new LRUCache<string, true>({ max: MAX_SILENT, ttl: FUTILE_MS });

  /** @param giveBack returns an account's unused tokens to Redis */
  constructor(
    private readonly client: RedisClient,
    private readonly id: string,
    giveBack: (key: string) => Promise<unknown>,
  ) {
    // A cluster's client keeps a connection for its subscriptions. Each connection subscribes again below.
    this.subscriber = client instanceof Cluster ? client : client.duplicate({ autoResubscribe: false });
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('ready', () => void this.subscriber.subscribe(channelOf(id)).catch(() => undefined));
    this.subscriber.on('message', (_channel: string, message: string) => {
      const [kind, from = '', key = ''] = message.split(' ', 3);
      this.silent.delete(from);
      if (kind === 'returned') this.recordReturn(key, from);
      else void giveBack(key).then(() => this.send(from, 'returned', key));
    });
    if (this.subscriber !== client) this.subscriber.connect().catch(() => undefined);
  }

  /**
   * Instances among the owners of an account's tokens that may still return some.
   * @param isRecalled they have returned what they had
   */
  holdersOf(key: string, tokens: readonly string[], isRecalled: boolean): readonly string[] {
    if (isRecalled) this.futile.set(key, true);
    if (this.futile.has(key)) return [];
    const ids = new Set(tokens.map((token) => token.slice(0, token.indexOf(':'))));
    return [...ids].filter((id) => id !== this.id && !this.silent.has(id));
  }

  /** Resolves once these instances have returned their tokens of an account, or after `ms`. */
  async recall(key: string, holders: readonly string[], ms: number): Promise<void> {
    const { done, awaited, end } = this.recalls.get(key) ?? this.start(key, holders);
    const timer = setTimeout(() => {
      for (const id of awaited) this.silent.set(id, true);
      end();
    }, ms);
    await done;
    clearTimeout(timer);
  }

  /** Ends by itself with the store's connection in a cluster. */
  close(): void {
    this.subscriber.disconnect();
  }

  private start(key: string, holders: readonly string[]): Recall {
    let resolve: () => void = () => undefined;
    const done = new Promise<void>((settle) => (resolve = settle));
    const end = (): void => {
      this.recalls.delete(key);
      resolve();
    };
    const recall = { done, awaited: new Set(holders), end };
    this.recalls.set(key, recall);
    for (const holder of holders) this.send(holder, 'recall', key);
    return recall;
  }

  private recordReturn(key: string, from: string): void {
    const recall = this.recalls.get(key);
    if (recall?.awaited.delete(from) === true && recall.awaited.size === 0) recall.end();
  }

  private send(to: string, kind: 'recall' | 'returned', key: string): void {
    this.client.publish(channelOf(to), `${kind} ${this.id} ${key}`).catch(() => undefined);
  }
}

function channelOf(id: string): string {
  return `tm:lease:${id}`;
}
