import { SearchEngines, type NameQueries } from '../../src/people/site/search-engines.js';

const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const HOUR_MS = 3_600_000;

/** A foreign name server: the names of addresses, and the addresses of names. */
class NameServer implements NameQueries {
  queries = 0;
  failure: string | null = null;
  silent = false;

  constructor(
    private readonly names: Readonly<Record<string, readonly string[]>>,
    private readonly addresses: Readonly<Record<string, readonly string[]>>,
  ) {}

  reverse(address: string) {
    return this.find(this.names[address]);
  }
  resolve4 = ((name: string) => this.find(this.addresses[name])) as NameQueries['resolve4'];
  resolve6 = ((name: string) => this.find(this.addresses[name])) as NameQueries['resolve6'];

  private find(records: readonly string[] | undefined): Promise<string[]> {
    this.queries += 1;
    if (this.silent) return new Promise(() => undefined);
    const code = this.failure ?? (records === undefined ? 'ENOTFOUND' : null);
    return code === null
      ? Promise.resolve([...(records ?? [])])
      : Promise.reject(Object.assign(new Error(code), { code }));
  }
}

const CRAWLER = 'crawl-66-249-66-1.googlebot.com';
const servers = () =>
  new NameServer(
    {
      '66.249.66.1': [CRAWLER],
      '203.0.113.1': [CRAWLER],
      '203.0.113.2': ['googlebot.com.evil.example'],
      '203.0.113.3': ['evilgooglebot.com'],
      '2001:4860:4801:10::1': [CRAWLER],
    },
    {
      [CRAWLER]: ['66.249.66.1', '2001:4860:4801:0010:0:0:0:1'],
      'googlebot.com.evil.example': ['203.0.113.2'],
      'evilgooglebot.com': ['203.0.113.3'],
    },
  );

function engines(names = servers()) {
  const time = { now: 0 };
  const it = new SearchEngines(() => time.now, names);
  /** The result after a lookup that the first call begins. */
  const settled = async (address: string, agent = GOOGLE) => {
    it.isConfirmed(address, agent);
    await new Promise(setImmediate);
    return it.isConfirmed(address, agent);
  };
  return { it, names, time, settled };
}

describe('The crawler of a search engine', () => {
  it.each(['66.249.66.1', '2001:4860:4801:10::1'])(
    'is confirmed at %s, whose name leads back to it',
    async (address) => {
      const { it: those, settled } = engines();
      // No request waits for the name server.
      expect(those.isConfirmed(address, GOOGLE)).toBe(false);
      expect(await settled(address)).toBe(true);
    },
  );

  it.each([
    ['a name that leads elsewhere', '203.0.113.1'],
    ['a name that only contains the domain', '203.0.113.2'],
    ['a name that only ends like the domain', '203.0.113.3'],
    ['no name', '203.0.113.4'],
    ['no address', ''],
  ])('is not confirmed by %s', async (_, address) => {
    expect(await engines().settled(address)).toBe(false);
  });

  it('is looked up only if the user agent names the engine whose domain it is', async () => {
    const { names, settled } = engines();
    expect([await settled('66.249.66.1', 'Firefox'), names.queries]).toEqual([false, 0]);
    expect(await settled('66.249.66.1', 'bingbot/2.0')).toBe(false);
  });

  it('is looked up once a day, and again after a minute if the name server failed', async () => {
    const { names, settled, time } = engines();
    await settled('66.249.66.1');
    expect([await settled('66.249.66.1'), names.queries]).toEqual([true, 2]);
    time.now += 25 * HOUR_MS;
    names.failure = 'ETIMEOUT';
    expect(await settled('66.249.66.1')).toBe(false);
    names.failure = null;
    expect([await settled('66.249.66.1'), names.queries]).toEqual([false, 3]);
    time.now += 60_001;
    expect(await settled('66.249.66.1')).toBe(true);
  });

  it('waits for a place if eight lookups are open, so that claims cannot flood a name server', () => {
    const { it: those, names } = engines();
    names.silent = true;
    for (let last = 1; last <= 20; last += 1) those.isConfirmed(`192.0.2.${String(last)}`, GOOGLE);
    expect(names.queries).toBe(8);
  });
});
