import { StoppedClock } from '../../support/clock.js';
import type { TestDatabase } from '../../support/database.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { MCP, post, toolCall, type ToolResult } from '../rpc.js';
import { breaksOf } from './broken.js';
import { callsOf, type Call, type Known } from './calls.js';
import { differences, type Said } from './said-twice.js';
import { NOW, SERVICES } from './services.js';

/** How many facts of a result are changed, one at a time. */
const MOST_BREAKS = 4;
/** Tools whose text is their structure as JSON. */
const AS_JSON = ['search', 'fetch'];

interface Asked {
  readonly call: Call;
  readonly result: ToolResult;
}

describe.each(SERVICES)('Text and structure of the tools with $name', ({ calls, open }) => {
  let database: TestDatabase;
  let service: TestServer;
  let key = '';
  let left = 0;
  let all: Asked[];

  beforeAll(async () => {
    database = await open();
    service = await startTestServer({ database, clock: new StoppedClock(NOW) });
    all = [];
    for (const call of callsOf(await known(), calls)) all.push({ call, result: await ask(call) });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function ask({ tool, args }: { tool: string; args: object }): Promise<ToolResult> {
    if (left === 0) [key, left] = [await service.key(), 100];
    left -= 1;
    const path = AS_JSON.includes(tool) ? `${MCP}?tools=search` : MCP;
    const { body } = await post(service.url, toolCall(tool, { ...args }), { key, path });
    return body.result as ToolResult;
  }

  /** Changes of each kind, and companies. */
  async function known(): Promise<Known> {
    const changes: string[] = [];
    for (const kind of ['release', 'revision', 'move', 'decision', 'structure']) {
      const { structuredContent } = await ask({ tool: 'latest_changes', args: { kind, limit: 8 } });
      changes.push(...(structuredContent?.['data'] as { id: string }[]).map(({ id }) => id));
    }
    const { body } = await service.get<{ slug: string }[]>('/api/v1/companies?limit=20');
    return { changes, companies: body.data.map(({ slug }) => slug) };
  }

  const told = (): Said[] => all.flatMap((asked) => saidBy(asked) ?? []);

  it('are of so many calls, a third of which or more have figures', () => {
    expect(all).toHaveLength(calls);
    expect(told().length).toBeGreaterThan(calls / 3);
  });

  it('have the same numbers and dates', () => {
    const found = told().flatMap((said) => differences(said).map((one) => `${said.tool} ${said.locale} ${one}`));
    expect(found).toEqual([]);
  });

  it('would not have, with a number or date of either changed, or values of one series exchanged', () => {
    const unnoticed: string[] = [];
    let made = 0;
    for (const said of told()) {
      for (const { what, apply } of some(breaksOf(said), MOST_BREAKS)) {
        made += 1;
        if (differences(apply()).length === 0) unnoticed.push(`${said.tool} ${said.locale} ${what}`);
      }
    }
    expect(made).toBeGreaterThan(told().length);
    // The other number or date may be one of the same item by chance.
    expect({ unnoticed, few: unnoticed.length < made / 100 }).toMatchObject({ few: true });
  });

  it('are one JSON document where hosts prescribe it, and an error is text alone', () => {
    for (const { call, result } of all) {
      const text = result.content[0]?.text ?? '';
      if (result.isError === true) expect(result.structuredContent).toBeUndefined();
      else if (AS_JSON.includes(call.tool)) expect(JSON.parse(text)).toEqual(result.structuredContent);
    }
  });
});

/** Null of a result that says nothing twice. */
function saidBy({ call: { tool, args }, result }: Asked): Said | null {
  const { content, structuredContent, isError } = result;
  if (isError === true || AS_JSON.includes(tool)) return null;
  const structure = structuredContent as unknown as Said['structure'];
  return { tool, locale: args.locale, today: NOW.slice(0, 10), text: content[0]?.text ?? '', structure };
}

/** At most so many of them, from the first to the last. */
function some<One>(all: readonly One[], most: number): One[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] as One);
}
