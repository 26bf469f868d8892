import { McpStrategy, type McpServerOptions } from '@rekog/mcp-nest';
import { listedTool, type ToolDefinition } from './tool-definition.js';

type Binding = Parameters<McpStrategy['bindRequestHandlers']>;

/** The library's strategy with a constant list of tools: it would build every schema anew for each client. */
export class ToolStrategy extends McpStrategy {
  private readonly listed: readonly ReturnType<typeof listedTool>[];

  constructor(options: McpServerOptions, tools: readonly ToolDefinition[]) {
    super(options);
    this.listed = tools.map((tool) => listedTool(tool));
  }

  override bindRequestHandlers(...[server, session, rawRequest]: Binding): void {
    super.bindRequestHandlers(server, session, rawRequest);
    server.server.setRequestHandler('tools/list', () => ({ tools: [...this.listed] }) as never);
  }
}
