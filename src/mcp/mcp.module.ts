import { Module, type DynamicModule } from '@nestjs/common';
import { MCP_HTTP_HANDLER, MCP_STRATEGY, StreamableHttpTransport } from '@rekog/mcp-nest';
import { RESOURCES } from '../resources/index.js';
import { BriefLines } from './brief-lines.service.js';
import { EventLines } from './event-lines.service.js';
import { ChangeLines } from './change-lines.service.js';
import { CompanyFinder } from './company-finder.service.js';
import { CompanyLines } from './company-lines.service.js';
import { INSTRUCTIONS } from './instructions.js';
import { McpController } from './mcp.controller.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { ToolAnswers } from './tool-answers.service.js';
import { ToolStrategy } from './tool-strategy.js';
import { TOOLS } from './tools.js';
import { Wording } from './wording.service.js';

const VERSION = '1.0.0';
const DEFINITIONS_HOLD_MS = 3_600_000;

/** The MCP delivery. The strategy is connected where the application is put together. */
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
        logging: { level: ['warn', 'error'] },
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
        ToolAnswers,
        Wording,
        ChangeLines,
        BriefLines,
        CompanyFinder,
        CompanyLines,
        EventLines,
      ],
    };
  }
}
