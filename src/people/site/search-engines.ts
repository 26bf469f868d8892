import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** The name that each crawler has in its user agent, and the domains of its hosts, as its operator publishes them. */
const ENGINES: readonly { readonly agent: string; readonly domains: readonly string[] }[] = [
  { agent: 'googlebot', domains: ['googlebot.com', 'google.com'] },
  { agent: 'bingbot', domains: ['search.msn.com'] },
  { agent: 'applebot', domains: ['applebot.apple.com'] },
  { agent: 'yandex', domains: ['yandex.ru', 'yandex.net', 'yandex.com'] },
  { agent: 'baiduspider', domains: ['baidu.com', 'baidu.jp'] },
  { agent: 'slurp', domains: ['crawl.yahoo.net'] },
  { agent: 'yeti', domains: ['naver.com'] },
  { agent: 'sogou', domains: ['sogou.com'] },
  { agent: 'petalbot', domains: ['petalsearch.com'] },
  { agent: 'seznambot', domains: ['seznam.cz'] },
];

const HOUR_MS = 3_600_000;
/** How long a result counts. A name server that fails says nothing about the address, so it is queried again soon. */
const KEPT_MS = { confirmed: 24 * HOUR_MS, refuted: HOUR_MS, failed: 60_000 } as const;
type Verdict = keyof typeof KEPT_MS;

const MOST_ADDRESSES = 10_000;
/** Further addresses are looked up at one of their later requests. */
const MOST_LOOKUPS = 8;
/** No such record: the answer of a name server, not its failure. */
const NO_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** The queries of a DNS resolver. */
export type NameQueries = Pick<Resolver, 'reverse' | 'resolve4' | 'resolve6'>;

/**
 * Recognizes the crawlers of search engines: the name of the address is of the engine's domain, and that name leads
 * back to the address. No request waits for DNS: a crawler counts as a reader until its address is confirmed.
 */
export class SearchEngines {
  private readonly verdicts = new LRUCache<string, { readonly verdict: Verdict; readonly until: number }>({
    max: MOST_ADDRESSES,
  });
  private readonly lookups = new Set<string>();

  constructor(
    private readonly now: () => number,
    private readonly names: NameQueries = new Resolver({ timeout: 2_000, tries: 1 }),
  ) {}

  /** Whether the address is confirmed as one of the engine that the user agent names; begins a lookup if needed. */
  isConfirmed(address: string, userAgent = ''): boolean {
    const lower = userAgent.toLowerCase();
    const engine = ENGINES.find(({ agent }) => lower.includes(agent));
    if (engine === undefined || !ipaddr.isValid(address)) return false;
    const key = `${engine.agent} ${address}`;
    const known = this.verdicts.get(key);
    if (known !== undefined && known.until > this.now()) return known.verdict === 'confirmed';
    if (!this.lookups.has(key) && this.lookups.size < MOST_LOOKUPS) {
      this.lookups.add(key);
      void this.check(address, engine.domains).then((verdict) => {
        this.verdicts.set(key, { verdict, until: this.now() + KEPT_MS[verdict] });
        this.lookups.delete(key);
      });
    }
    return false;
  }

  private async check(address: string, domains: readonly string[]): Promise<Verdict> {
    try {
      const names = await this.names.reverse(address);
      const name = names.find((one) => domains.some((domain) => one.toLowerCase().endsWith(`.${domain}`)));
      if (name === undefined) return 'refuted';
      const own = ipaddr.process(address);
      const addresses = await (own.kind() === 'ipv4' ? this.names.resolve4(name) : this.names.resolve6(name));
      const leadsBack = addresses.some((one) => ipaddr.process(one).toString() === own.toString());
      return leadsBack ? 'confirmed' : 'refuted';
    } catch (error) {
      return NO_RECORD.has(String((error as NodeJS.ErrnoException).code)) ? 'refuted' : 'failed';
    }
  }
}
