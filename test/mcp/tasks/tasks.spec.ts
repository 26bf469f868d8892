import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { StoppedClock } from '../../support/clock.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { publishMore } from '../published.js';
import { post, toolCall, type ToolResult } from '../rpc.js';

// Questions that a person would ask an assistant, with the calls that should answer them. The expected results are
// facts of the published files, not recorded results.

type Argument = string | number | { readonly from: readonly (string | number)[] };
type Call = readonly [string, Readonly<Record<string, Argument>>];

interface Task {
  readonly question: string;
  readonly calls: readonly Call[];
  readonly answer: readonly string[];
}

const TASKS = JSON.parse(readFileSync(join(__dirname, 'tasks.json'), 'utf8')) as Task[];

describe('An assistant', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    await publishMore(database);
    service = await startTestServer({ database, clock: new StoppedClock('2026-11-21T10:00:00Z') });
    key = await service.key();
  }, 60_000);
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('needs one call for at least 20 of thirty questions, and at most two for at least 27', () => {
    const within = (most: number) => TASKS.filter(({ calls }) => calls.length <= most).length;
    expect(TASKS).toHaveLength(30);
    expect(within(1)).toBeGreaterThanOrEqual(20);
    expect(within(2)).toBeGreaterThanOrEqual(27);
  });

  it.each(TASKS)('finds $question', async ({ calls, answer }) => {
    let last: ToolResult | undefined;
    for (const [tool, args] of calls) {
      const given = Object.entries(args).map(([name, value]) => [name, valueOf(value, last)]);
      const { body } = await post(
        service.url,
        toolCall(tool, Object.fromEntries(given) as Record<string, unknown>),
        { key },
      );
      last = body.result;
    }
    const text = last?.content[0]?.text ?? '';
    expect(last?.isError).toBeUndefined();
    expect({ text, lacking: answer.filter((part) => !text.includes(part)) }).toEqual({ text, lacking: [] });
  });
});

/** A literal argument, or one from the previous result. */
function valueOf(value: Argument, before: ToolResult | undefined): unknown {
  if (typeof value !== 'object') return value;
  return value.from.reduce<unknown>(
    (held, step) => (held as Record<string | number, unknown>)[step],
    before?.structuredContent,
  );
}
