// runs: in full only
import { makeKeyText } from '../../src/serve/access/keys/key-text.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

interface Listed {
  readonly id: string;
}

let database: TestDatabase;
let service: TestServer;
beforeAll(async () => {
  database = await createTestDatabase('full');
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

describe('An id', () => {
  it('is long, and reveals neither how many there are nor which comes next', async () => {
    const form = /^chg_[A-Za-z0-9_-]{20,60}$/;
    const { body } = await service.get<Listed[]>('/api/v1/changes?limit=100');
    const ids = body.data.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter((id) => !form.test(id))).toEqual([]);
    // Sequential numbers always rise or always fall; a hash rises or falls at random.
    const rising = ids.slice(1).filter((id, at) => id > (ids[at] ?? '')).length / (ids.length - 1);
    expect(rising).toBeGreaterThan(0.2);
    expect(rising).toBeLessThan(0.8);
    const shared = ids.slice(1).map((id, at) => commonLength(id, ids[at] ?? ''));
    expect(Math.max(...shared)).toBeLessThan(12);
  });

  it.each(['/api/v1/changes/chg_', '/api/v1/signals/sig_', '/api/v1/ahead/evt_'])(
    'costs a request for each guess, and the plan ends the guessing: %s',
    async (path) => {
      const key = await service.key('pro');
      const answers = [];
      for (let guess = 0; guess < 7; guess += 1) {
        const { status, headers } = await service.get(`${path}${makeKeyText().slice(3, 24)}`, key);
        answers.push([status, headers.get('x-ratelimit-remaining-minute')]);
      }
      expect(answers).toEqual([
        ...[4, 3, 2, 1, 0].map((left) => [404, String(left)]),
        ...[0, 0].map((left) => [429, String(left)]),
      ]);
    },
  );

  it('gets the same response whether it is nearly right or all wrong', async () => {
    const { body } = await service.get<Listed[]>('/api/v1/changes?limit=1');
    const [{ id } = { id: '' }] = body.data;
    const key = await service.key();
    const near = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
    const [one, other] = [near, 'chg_none'].map(async (guess) => {
      const reply = await exchange(service.url, `/api/v1/changes/${guess}`, {
        key,
        headers: { 'x-request-id': 'the-same-for-both' },
      });
      // The response repeats the requested id.
      return { status: reply.status, text: reply.bytes.toString().replaceAll(guess, 'ID') };
    });
    expect(await one).toMatchObject({ status: 404 });
    expect(await one).toEqual(await other);
  });
});

describe('A client without a valid key', () => {
  it('learns nothing about the existence of a path, an id or an account', async () => {
    const { body } = await service.get<Listed[]>('/api/v1/changes?limit=1');
    const texts = new Set<string>();
    const paths = [`changes/${body.data[0]?.id ?? ''}`, 'changes/chg_none', 'none', 'following', 'accounts', 'keys'];
    for (const path of paths) {
      const { status, bytes } = await exchange(service.url, `/api/v1/${path}`, {
        headers: { 'x-request-id': 'the-same-for-all' },
      });
      expect(status).toBe(401);
      texts.add(bytes.toString());
    }
    expect(texts.size).toBe(1);
  });

  it('gets the same response for an unknown key and for one that begins like a live key', async () => {
    const key = await service.key();
    const stranger = makeKeyText();
    // The first eight characters are stored in plain text, so that people can tell their keys apart.
    const near = `${key.slice(0, 8)}${stranger.slice(8)}`;
    const codes = [];
    for (const text of [stranger, near, key.slice(0, -1), `${key}x`]) {
      codes.push((await exchange(service.url, '/api/v1/topics', { key: text })).body?.error?.code);
    }
    expect(codes).toEqual(Array(4).fill('invalid_key'));
  });
});

function commonLength(one: string, other: string): number {
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index]);
  return at < 0 ? one.length : at;
}
