import { McpStrategy, type McpServerOptions } from '@rekog/mcp-nest';
import { ICON } from '../serve/http/pages/page-layout.js';
import { LISTED_DOCUMENT, LISTED_TEMPLATES } from './protocol/documents.js';
import { INSTRUCTIONS, SEARCH_INSTRUCTIONS } from './instructions.js';
import type { ToolSet } from './protocol/mcp-request.js';
import { MessageTransport } from './protocol/message-transport.js';
import { SEARCH_TOOLS } from './documents/search-tools.js';
import { listedTool } from './calls/tool-definition.js';
import { TOOLS } from './tools/tools.js';

const VERSION = '1.0.0';
/** Definitions change with a new version of the service. */
const DEFINITIONS = { ttlMs: 3_600_000, cacheScope: 'private' } as const;
/** As `cache-control` of the same content over HTTP. */
const CONTENT = { ttlMs: 30_000, cacheScope: 'private' } as const;

type Binding = Parameters<McpStrategy['bindRequestHandlers']>;
type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list';

/** The result of each list, by its method; a method without a list is unknown. */
type Lists = Readonly<Partial<Record<ListMethod, object>>>;

/** The library's strategy with constant lists, because it would build every schema anew for each client. */
class ToolStrategy extends McpStrategy {
  constructor(
    options: McpServerOptions,
    private readonly lists: Lists,
  ) {
    super(options);
  }

  override bindRequestHandlers(...[server, session, rawRequest]: Binding): void {
    super.bindRequestHandlers(server, session, rawRequest);
    for (const [method, list] of Object.entries(this.lists)) {
      server.server.setRequestHandler(method as ListMethod, () => ({ ...list }) as never);
    }
  }
}

/** One server of the library for each set of tools, behind one endpoint. */
export class McpServers {
  readonly strategies: readonly ToolStrategy[];
  private readonly transports: Readonly<Record<ToolSet, MessageTransport>>;

  constructor(baseUrl: string) {
    const [all, search] = [new MessageTransport(), new MessageTransport()];
    this.transports = { all, search };
    const about = aboutOf(baseUrl);
    this.strategies = [
      new ToolStrategy(
        {
          ...about,
          instructions: INSTRUCTIONS,
          transports: [all],
          capabilities: { tools: { listChanged: false }, resources: { listChanged: false }, logging: undefined },
        },
        {
          'tools/list': { tools: TOOLS.map(({ definition }) => listedTool(definition)) },
          'resources/list': { resources: [LISTED_DOCUMENT] },
          'resources/templates/list': { resourceTemplates: LISTED_TEMPLATES },
        },
      ),
      new ToolStrategy(
        {
          ...about,
          server: 'search',
          instructions: SEARCH_INSTRUCTIONS,
          transports: [search],
          capabilities: { tools: { listChanged: false }, logging: undefined },
        },
        { 'tools/list': { tools: SEARCH_TOOLS.map(({ definition }) => listedTool(definition)) } },
      ),
    ];
  }

  of(toolSet: ToolSet = 'all'): MessageTransport {
    return this.transports[toolSet];
  }
}

function aboutOf(baseUrl: string) {
  return {
    name: 'tidemark',
    title: 'Tidemark',
    version: VERSION,
    description: 'Verified changes in economic and market figures, each with its source and licence',
    websiteUrl: `${baseUrl}/docs`,
    icons: [{ src: ICON, mimeType: 'image/svg+xml', sizes: ['any'] }],
    cacheHints: {
      'tools/list': DEFINITIONS,
      'resources/list': DEFINITIONS,
      'resources/templates/list': DEFINITIONS,
      'resources/read': CONTENT,
      'server/discover': DEFINITIONS,
    },
    // The library warns of each faulty message; clients must not be able to fill the log.
    logging: { level: ['error'] },
  } satisfies Partial<McpServerOptions>;
}
