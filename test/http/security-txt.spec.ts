import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer } from '../support/server.js';

const PATH = '/.well-known/security.txt';
const YEAR_MS = 365 * 86_400_000;

describe('The file security.txt', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(['mailto:security@example.com', 'https://example.com/security'])(
    'names the operator’s contact, needs no key, and expires within a year: %s',
    async (contact) => {
      const environment = { SECURITY_CONTACT: contact };
      const service = await startTestServer({ database, environment, baseUrl: 'https://api.example.com' });
      try {
        const { status, headers, text } = await service.get(PATH, null);
        expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
        const fields = new Map(
          text
            .trimEnd()
            .split('\n')
            .map((line) => line.split(': ', 2) as [string, string]),
        );
        const expires = fields.get('Expires') ?? '';
        expect(Object.fromEntries(fields)).toEqual({
          Contact: contact,
          Expires: new Date(expires).toISOString(),
          'Preferred-Languages': 'en, zh, ja',
          Canonical: `https://api.example.com${PATH}`,
        });
        const left = Date.parse(expires) - Date.now();
        expect(left > 0 && left <= YEAR_MS).toBe(true);
      } finally {
        await service.close();
      }
    },
  );

  it('does not exist without a contact, like any unknown path', async () => {
    const service = await startTestServer({ database });
    try {
      const [file, other] = [await service.get(PATH, null), await service.get('/docs/nothing', null)];
      expect([file.status, file.body.error?.code]).toEqual([404, 'not_found']);
      expect(file.body.error?.detail).toBe(other.body.error?.detail);
    } finally {
      await service.close();
    }
  });
});
