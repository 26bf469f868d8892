import { Module, type DynamicModule } from '@nestjs/common';
import { MCP_HTTP_HANDLER, MCP_STRATEGY, StreamableHttpTransport } from '@rekog/mcp-nest';
import { RESOURCES } from '../resources/index.js';
import { ArgumentResolver } from './argument-resolver.service.js';
import { BriefText } from './text/brief-text.service.js';
import { EventText } from './text/event-text.service.js';
import { ChangeText } from './text/change-text.service.js';
import { FigureText } from './text/figure-text.service.js';
import { CompanyFinder } from './company-finder.service.js';
import { CompanyText } from './text/company-text.service.js';
import { INSTRUCTIONS } from './instructions.js';
import { McpController } from './mcp.controller.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { ToolRunner } from './tool-runner.service.js';
import { ToolStrategy } from './tool-strategy.js';
import { TOOLS } from './tools.js';
import { TextRenderer } from './text/text-renderer.service.js';

const VERSION = '1.0.0';
const DEFINITIONS_HOLD_MS = 3_600_000;

/** The MCP transport. `server.ts` connects its strategy. */
@Module({})
export class McpModule {
  static of(baseUrl: string): DynamicModule {
    const transport = new StreamableHttpTransport();
    const strategy = new ToolStrategy(
      {
        name: 'tidemark',
        title: 'Tidemark',
        version: VERSION,
        description: 'Verified changes in economic and market figures, each with its source and licence',
        websiteUrl: `${baseUrl}/docs`,
        instructions: INSTRUCTIONS,
        transports: [transport],
        capabilities: { tools: { listChanged: false }, logging: undefined },
        cacheHints: {
          'tools/list': { ttlMs: DEFINITIONS_HOLD_MS, cacheScope: 'private' },
          'server/discover': { ttlMs: DEFINITIONS_HOLD_MS, cacheScope: 'private' },
        },
        // The library warns of each faulty message; clients must not be able to fill the log.
        logging: { level: ['error'] },
      },
      TOOLS.map(({ definition }) => definition),
    );
    return {
      module: McpModule,
      imports: [...RESOURCES],
      controllers: [McpController, ...TOOLS.map(({ type }) => type)],
      providers: [
        { provide: MCP_HTTP_HANDLER, useValue: transport.httpHandlers },
        { provide: MCP_STRATEGY, useValue: strategy },
        McpErrorFilter,
        ToolRunner,
        TextRenderer,
        ArgumentResolver,
        ChangeText,
        FigureText,
        BriefText,
        CompanyFinder,
        CompanyText,
        EventText,
      ],
    };
  }
}
