import { ResponseCache } from '../../src/serve/http/response/response-cache.js';

interface Weighed {
  readonly weight: number;
}

const MAX_BYTES = 80_000;
const RESPONSE = { weight: 1_000 };

describe('the response cache', () => {
  const open = () => new ResponseCache<Weighed>(MAX_BYTES);
  const fill = async (cache: ResponseCache<Weighed>, count: number) => {
    for (let at = 0; at < count; at += 1) await cache.compute(`once ${at}`, () => Promise.resolve(RESPONSE));
  };

  it('gives responses that are requested once at most an eighth of its bytes', async () => {
    const cache = open();
    await fill(cache, 1_000);
    expect(cache.stats.bytes).toBeGreaterThan(MAX_BYTES / 16);
    expect(cache.stats.bytes).toBeLessThanOrEqual(MAX_BYTES / 8);
  });

  it('keeps a repeated response, however many others are requested once', async () => {
    const cache = open();
    await cache.compute('repeated', () => Promise.resolve(RESPONSE));
    expect(cache.find('repeated')).toBe(RESPONSE);
    await fill(cache, 1_000);
    expect(cache.find('repeated')).toBe(RESPONSE);
    expect(cache.find('once 0')).toBeUndefined();
  });

  it('stays within its bytes when all responses are repeated', async () => {
    const cache = open();
    for (let at = 0; at < 1_000; at += 1) {
      await cache.compute(`${at}`, () => Promise.resolve(RESPONSE));
      expect(cache.find(`${at}`)).toBe(RESPONSE);
    }
    expect(cache.stats.bytes).toBeGreaterThan(MAX_BYTES / 2);
    expect(cache.stats.bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('shares one computation among concurrent requests', async () => {
    const cache = open();
    let computed = 0;
    const work = () => {
      computed += 1;
      return Promise.resolve(RESPONSE);
    };
    await Promise.all([cache.compute('same', work), cache.compute('same', work)]);
    expect(computed).toBe(1);
  });
});
