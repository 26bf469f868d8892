// runs: on two instances
import { addressOf, operationsOf, readDocument, type Documented } from '../contract/document.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';

const OWN_PATHS = ['/api/v1/following', '/api/v1/following/changes', '/api/v1/alerts'];
const PAGED = OWN_PATHS.slice(1);

interface Item {
  readonly id: string;
}

/** The data of one account, all of it different from the other's. */
interface Party {
  readonly owner: Owner;
  /** Ids, names and addresses that no other account may ever see. */
  readonly secrets: readonly string[];
  readonly cursors: ReadonlyMap<string, string>;
}

describe('An account', () => {
  let database: TestDatabase;
  let service: TestServer;
  const clock = new StoppedClock('2026-11-20T09:00:00Z');
  let operations: Documented[];
  let ada: Party;
  let bob: Party;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database, clock });
    operations = operationsOf(await readDocument(service));
    ada = await party('ada', ['country', 'JP'], ['topic', 'inflation']);
    bob = await party('bob', ['country', 'US'], ['topic', 'gdp']);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function party(name: string, ...targets: readonly (readonly ['country' | 'topic', string])[]): Promise<Party> {
    const owner = await ownerOf(service, name);
    const secrets = [owner.email, owner.key, owner.key.slice(0, 8)];
    for (const [type, key] of targets) {
      secrets.push((await owner.follow(type, key)).id);
      const label = `${name} watches ${key}`;
      secrets.push(label, (await owner.alert({ type, key, metric: 'any_change', name: label })).id);
    }
    const source = await database.open('admin');
    const [account] = await source.query<Item[]>('SELECT id FROM accounts WHERE email = $1', [owner.email]);
    const keys = await source.query<Item[]>('SELECT id FROM api_keys WHERE account_id = $1', [account?.id]);
    secrets.push(account?.id ?? '', ...keys.map(({ id }) => id));
    const cursors = new Map<string, string>();
    for (const path of PAGED) {
      const { body } = await owner.get(`${path}?limit=1`);
      cursors.set(path, body.meta.page?.nextCursor ?? '');
    }
    return { owner, secrets, cursors };
  }

  const seen = (text: string, { secrets }: Party): string[] => secrets.filter((one) => text.includes(one));

  it('has data of its own, so that the following tests can detect a leak', async () => {
    for (const one of [ada, bob]) {
      const answers = await Promise.all(OWN_PATHS.map((path) => one.owner.get<Item[]>(path)));
      for (const { body } of answers) expect(body.data.length).toBeGreaterThan(0);
      expect(seen(answers.map(({ text }) => text).join(), one).length).toBe(6);
      for (const cursor of one.cursors.values()) expect(cursor).not.toBe('');
    }
  });

  it('sees nothing of another’s at any address, with any of the other’s ids, names or keys as its value', async () => {
    let asked = 0;
    for (const [at, documented] of operations.entries()) {
      // Each secret is tried at some operation.
      const tried = ada.secrets.filter((_, index) => index % 5 === at % 5);
      const addresses = exhaustively(ada.secrets, tried).flatMap((secret) => addressesWith(documented, secret));
      for (const address of [addressOf(documented), ...addresses]) {
        clock.advance(1_000);
        const { text, status } = await bob.owner.get(address);
        // An error may repeat a parameter, and nothing else.
        const said = seen(text, ada).filter((secret) => !decodeURIComponent(address).includes(secret));
        expect({ address, said }).toEqual({ address, said: [] });
        expect({ address, fit: status < 429 }).toEqual({ address, fit: true });
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(100);
  });

  /** URLs of the operation with the secret in each place that a caller can set. */
  function addressesWith({ path, operation }: Documented, secret: string): string[] {
    return operation.parameters.map(({ name, in: place }) =>
      place === 'path'
        ? path.replace(`{${name}}`, encodeURIComponent(secret))
        : addressOf({ path, operation }, { [name]: secret }),
    );
  }

  it.each(PAGED)('cannot use another account’s cursor: %s', async (path) => {
    const cursor = ada.cursors.get(path) ?? '';
    expect((await ada.owner.get(`${path}?limit=1&cursor=${cursor}`)).status).toBe(200);
    const refused = await bob.owner.get(`${path}?limit=1&cursor=${cursor}`);
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'invalid_cursor']);
    for (const other of PAGED.filter((one) => one !== path)) {
      expect((await ada.owner.get(`${other}?cursor=${cursor}`)).body.error?.code).toBe('invalid_cursor');
    }
  });

  it.each(OWN_PATHS)(
    'gets its own response after another account’s request, with a tag of its own: %s',
    async (path) => {
      const [first, second, again] = [await ada.owner.get(path), await bob.owner.get(path), await ada.owner.get(path)];
      expect(second.text).not.toBe(first.text);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
      const conditional = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
      expect((await bob.owner.get(path, bob.owner.key, conditional)).status).toBe(200);
      expect((await ada.owner.get(path, ada.owner.key, conditional)).status).toBe(304);
    },
  );

  it.each(OWN_PATHS)('gets its own response when both request at once: %s', async (path) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? ada : bob).owner.get(path)),
    );
    for (const [index, { text }] of answers.entries()) {
      expect(seen(text, index % 2 === 0 ? bob : ada)).toEqual([]);
    }
  });
});
