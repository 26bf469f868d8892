import { fetchDefinition, FetchTool } from './fetch.tool.js';
import { searchDefinition, SearchTool } from './search.tool.js';

/** The pair that some hosts ask for instead of tools of a service's own, in the order of `tools/list`. */
export const SEARCH_TOOLS = [
  { type: SearchTool, definition: searchDefinition },
  { type: FetchTool, definition: fetchDefinition },
];
