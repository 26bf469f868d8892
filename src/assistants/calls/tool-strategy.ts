import type { CompleteResult } from '@modelcontextprotocol/server';
import { McpStrategy, type McpServerOptions } from '@rekog/mcp-nest';

type Binding = Parameters<McpStrategy['bindRequestHandlers']>;
type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** The result of each list, by its method; a method without a list is unknown. */
export type Lists = Readonly<Partial<Record<ListMethod, object>>>;
/** Completes an argument for the request of this message. */
export type Complete = (params: unknown, request: unknown) => Promise<CompleteResult>;

/**
 * The library's strategy with constant lists, because it would build every schema anew for each client, and with
 * completion, which it lacks.
 */
export class ToolStrategy extends McpStrategy {
  constructor(
    options: McpServerOptions,
    private readonly lists: Lists,
    private readonly complete?: Complete,
  ) {
    super(options);
  }

  override bindRequestHandlers(...[server, session, rawRequest]: Binding): void {
    super.bindRequestHandlers(server, session, rawRequest);
    for (const [method, list] of Object.entries(this.lists)) {
      server.server.setRequestHandler(method as ListMethod, () => ({ ...list }) as never);
    }
    const { complete } = this;
    if (complete === undefined) return;
    server.server.setRequestHandler('completion/complete', ({ params }) => complete(params, rawRequest));
  }
}
