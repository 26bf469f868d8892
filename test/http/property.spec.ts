import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ERRORS, type ErrorCode } from '../../src/errors/errors.js';
import { AnswerValidator } from '../contract/answer-validator.js';
import { operationsOf, readDocument, type Documented } from '../contract/document.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { requests, type Asked } from '../support/hostile.js';
import { insideOf } from '../support/inside.mjs';
import { ownerOf } from '../support/own.js';
import { pathOf, segmentsIn } from '../support/paths.js';
import { startTestServer, type Body, type TestServer } from '../support/server.js';

/**
 * The full form is 20,000, of another seed each time:
 * `TIDEMARK_PROPERTY_RUNS=20000 TIDEMARK_PROPERTY_SEED=random npm test -- test/http/property`.
 */
const REQUESTS = Number(process.env['TIDEMARK_PROPERTY_RUNS'] ?? 2_000);
/** Sent at once. */
const BATCH = 20;
/** Their requests come in turn and the clock moves on between batches: no limit is ever reached. */
const ACCOUNTS = 5;
const BETWEEN_BATCHES_MS = 3_000;

jest.setTimeout(30 * 60_000);

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe('Whatever is asked', () => {
  const clock = new StoppedClock('2026-11-20T00:00:01Z');
  const agent = new Agent({ keepAlive: true, maxSockets: BATCH });
  const keys: string[] = [];
  let database: TestDatabase;
  let service: TestServer;
  let operations: Documented[];
  let segments: ReadonlyMap<string, string[]>;
  let closed: AnswerValidator;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database, clock });
    const document = await readDocument(service);
    operations = operationsOf(document);
    closed = new AnswerValidator(document, true);
    segments = await segmentsIn(service.server.parts.database, 20);
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const owner = await ownerOf(service, `asker-${index}`);
      await owner.follow('country', 'JP');
      await owner.alert({ type: 'topic', key: 'inflation', metric: 'any_change' });
      keys.push(owner.key);
    }
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
    await database.drop();
  });

  it('is answered without a failure of ours, and by the schema of the operation or of the error', async () => {
    const statuses = new Map<number, number>();
    const batches = fc.array(
      requests(operations, (path) => segments.get(pathOf(path)) ?? []),
      { minLength: BATCH, maxLength: BATCH },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        clock.advance(BETWEEN_BATCHES_MS);
        const judged = await Promise.all(
          batch.map(async (asked, index) => {
            const answer = await ask(asked, keys[index % ACCOUNTS] ?? '');
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            return { asked, status: answer.status, faults: faultsOf(asked, answer) };
          }),
        );
        expect(judged.filter(({ faults }) => faults.length > 0)).toEqual([]);
      }),
      { numRuns: Math.ceil(REQUESTS / BATCH), endOnFailure: REQUESTS > 2_000 },
    );
    const count = (status: number): number => statuses.get(status) ?? 0;
    // A test of nothing but refusals would show little: a good part is answered.
    expect(count(200)).toBeGreaterThan(REQUESTS / 10);
    for (const status of [304, 400, 404, 405])
      expect({ status, seen: count(status) > 0 }).toEqual({ status, seen: true });
    expect(count(429)).toBe(0);
    if (REQUESTS > 2_000) console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  });

  function faultsOf({ method, target }: Asked, { status, text }: Answer): string[] {
    if (status >= 500) return [`a failure of ours: ${text}`];
    if (method === 'HEAD' || status === 304 || status === 204) return text === '' ? [] : ['has a body'];
    const body = JSON.parse(text) as Body;
    if (status === 200) {
      const path = documentedAt(target);
      if (path === undefined) return ['answers an address of nothing'];
      return closed.faults(
        body,
        'paths',
        path,
        'get',
        'responses',
        '200',
        'content',
        'application/json',
        'schema',
      );
    }
    const faults = closed.faults(body, 'components', 'schemas', 'ProblemEnvelope');
    const { code = '' } = body.error ?? {};
    const known = code in ERRORS && ERRORS[code as ErrorCode].status === status;
    const inside = insideOf(text, target);
    return [
      ...faults,
      ...(known ? [] : [`${status} is no ${code}`]),
      ...(inside === null ? [] : [`gives the inside away (${inside}): ${text}`]),
    ];
  }

  /** The path of the document that an address falls under; one without a variable before one with. */
  function documentedAt(target: string): string | undefined {
    const asked = (target.split('?')[0] ?? '').replace(/\/$/, '').split('/');
    const fits = (path: string): boolean => {
      const parts = path.split('/');
      return (
        parts.length === asked.length && parts.every((part, at) => part.startsWith('{') || part === asked[at])
      );
    };
    return operations
      .map(({ path }) => path)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .find(fits);
  }

  function ask({ method, target, headers }: Asked, key: string): Promise<Answer> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const sent = request({
        ...{ hostname, port, method, path: target, agent },
        headers: { authorization: `Bearer ${key}`, ...headers },
      });
      sent.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: plain(response.headers, chunks) }),
          );
      });
      sent.end();
    });
  }
});

function plain(headers: IncomingHttpHeaders, chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return '';
  const coding = headers['content-encoding'];
  const body = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  return body.toString();
}
