import { operationsOf, type Document } from '../contract/document.js';
import type { ToolForm } from './hostile-messages.js';
import type { Probe, Terrain } from './hostile-probes.js';
import { REQUIRED } from './paths.js';
import { send, type Sender } from './wire.js';

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const TOOLS = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
const MOST_SEGMENTS = 20;

/** Reads from a running service what requests can name: its document, its tools, its lists. */
export async function readTerrain(sender: Sender): Promise<{ document: Document; terrain: Terrain }> {
  const read = async (target: string, sent: Partial<Probe> = {}): Promise<unknown> => {
    const { status, text } = await send({ place: '', method: 'GET', target, headers: {}, ...sent }, sender);
    if (status !== 200) throw new Error(`${target} is answered ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const document = (await read('/docs/openapi.json')) as Document;
  const operations = operationsOf(document);
  const listed = await read('/api/v1/mcp', { method: 'POST', headers: JSON_TYPE, body: TOOLS });
  const { tools } = (listed as { result: { tools: ToolForm[] } }).result;
  const [addresses, cursors] = [new Set<string>(), new Set<string>()];
  for (const { path } of operations.filter((one) => !one.path.includes('{'))) {
    const text = JSON.stringify(await read(`${path}${REQUIRED[path] ?? ''}`));
    for (const [, found = ''] of text.matchAll(/"url":"https?:\/\/[^/"]+(\/api\/v1\/[^"?]+)"/g)) addresses.add(found);
    for (const [, found = ''] of text.matchAll(/"nextCursor":"([^"]+)"/g)) cursors.add(found);
  }
  return {
    document,
    terrain: { operations, tools, cursors: [...cursors], segments: segmentsOf(operations, [...addresses]) },
  };
}

/** The last segment of each URL that belongs to a path with one variable at its end. */
function segmentsOf(operations: Terrain['operations'], addresses: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path } of operations.filter((one) => one.path.endsWith('}'))) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const under = addresses.filter((one) => one.startsWith(folder) && !one.slice(folder.length).includes('/'));
    // An operator's own items come last.
    const [first, last] = [under.slice(0, MOST_SEGMENTS / 2), under.slice(-MOST_SEGMENTS / 2)];
    found.set(path, [...new Set([...first, ...last].map((one) => one.slice(folder.length)))]);
  }
  return found;
}
