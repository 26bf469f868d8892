import { randomUUID } from 'node:crypto';
import { PRICES, Prices } from '../../src/serve/access/keys/prices.js';
import { LocalLimiter } from '../../src/serve/limits/local-limiter.js';
import { SYSTEM_CLOCK } from '../../src/serve/limits/rate-limit-store.js';
import { RedisStore } from '../../src/serve/limits/redis/redis-store.js';
import { pricesAt } from '../support/prices.js';
import { describeIf } from '../support/needs.js';
import { PrivateRedis, redisInstalled } from './redis-servers.js';

const PER_MINUTE = PRICES.page.address.perMinute;

/** How many of these acts are allowed, one after another. */
async function allowed(count: number, act: (index: number) => Promise<boolean>): Promise<number> {
  let admitted = 0;
  for (let index = 0; index < count; index += 1) admitted += (await act(index)) ? 1 : 0;
  return admitted;
}

describeIf(redisInstalled, 'no redis-server')('The prices of several instances', () => {
  let redis: PrivateRedis;
  let stores: RedisStore[];
  let instances: Prices[];
  const open = async () => {
    stores = [1, 2].map(() => new RedisStore(redis.url, SYSTEM_CLOCK, 'acts'));
    for (const store of stores) expect(await store.ready(10_000)).toBe(true);
    instances = stores.map((store) => new Prices(store, new LocalLimiter(), () => performance.now()));
  };
  beforeEach(async () => {
    redis = await PrivateRedis.start();
    await open();
  });
  afterEach(async () => {
    redis.thaw();
    await Promise.all(stores.map((store) => store.close()));
    await redis.kill();
  });

  const page = (address: string) => (index: number) =>
    instances[index % 2]?.allows('page', { address }) ?? Promise.resolve(false);

  it('are counted together', async () => {
    expect(await allowed(3 * PER_MINUTE, page('addr:203.0.113.1'))).toBe(PER_MINUTE);
  });

  it.each([
    ['is gone', () => redis.kill()],
    [
      'is silent',
      () => {
        redis.freeze();
        return Promise.resolve();
      },
    ],
  ])('refuse nobody within the limit because Redis %s, and keep the limit of each instance', async (_, fail) => {
    await allowed(2, page(`addr:${randomUUID()}`));
    await fail();
    const one = instances[0]!;
    const address = 'addr:203.0.113.2';
    const first = Array.from({ length: PER_MINUTE }, () => one.allows('page', { address }));
    expect(await Promise.all(first)).toEqual(first.map(() => true));
    expect(await allowed(PER_MINUTE, () => one.allows('page', { address }))).toBe(0);
    // An act that is allowed once a minute is not refused either.
    expect(await one.allows('mail_reset', { subject: 'person@mail.example' })).toBe(true);
  });
});

describe('The prices of acts', () => {
  const at = new Date('2026-09-01T12:00:00Z');
  const ipv6 = (site: number, network: number) => `addr:2001:db8:${site.toString(16)}:${network.toString(16)}::/64`;

  it('count the addresses of an IPv6 /48 as eight', async () => {
    const prices = pricesAt(() => at);
    const { perMinute } = PRICES.sign_up.address;
    const signUps = (site: number) => (index: number) => prices.allows('sign_up', { address: ipv6(site, index) });
    expect(await allowed(20 * perMinute, signUps(1))).toBe(8 * perMinute);
    expect(await allowed(1, signUps(2))).toBe(1);
  });

  it('do not let one address use up what everybody shares', async () => {
    const prices = pricesAt(() => at);
    const signUp = (address: string) => prices.allows('sign_up', { address });
    expect(await allowed(2_000, () => signUp('addr:203.0.113.3'))).toBe(PRICES.sign_up.address.perMinute);
    expect(await signUp('addr:203.0.113.4')).toBe(true);
  });

  it('keep one kind of mail apart from another', async () => {
    const prices = pricesAt(() => at);
    const subject = 'person@mail.example';
    await allowed(10, () => prices.allows('mail_sign_up', { subject }));
    expect(await prices.allows('mail_reset', { subject })).toBe(true);
    expect(await prices.allows('mail_sign_in', { subject })).toBe(true);
  });
});
