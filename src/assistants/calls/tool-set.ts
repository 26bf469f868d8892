import type { SentParameters } from '../../serve/responses/request-context.js';
import { invalidParams } from '../protocol/json-rpc.js';
import type { ToolSet } from '../protocol/mcp-request.js';

const TOOL_SETS: readonly ToolSet[] = ['all', 'search'];

/**
 * What the query of the endpoint's URL selects: a client keeps it with the URL.
 * @throws RpcError with the known sets
 */
export function toolSetIn({ tools }: SentParameters): ToolSet {
  if (tools === undefined) return 'all';
  const found = TOOL_SETS.find((one) => one === tools);
  if (found !== undefined) return found;
  const args = { values: TOOL_SETS.join(', ') };
  throw invalidParams({ parameter: 'tools', reason: 'not_in_set', args, allowed: TOOL_SETS });
}
