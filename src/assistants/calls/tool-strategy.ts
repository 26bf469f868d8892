import { McpStrategy, type McpServerOptions } from '@rekog/mcp-nest';

type Binding = Parameters<McpStrategy['bindRequestHandlers']>;
type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list';

/** The result of each list, by its method; a method without a list is unknown. */
export type Lists = Readonly<Partial<Record<ListMethod, object>>>;

/** The library's strategy with constant lists, because it would build every schema anew for each client. */
export class ToolStrategy extends McpStrategy {
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
