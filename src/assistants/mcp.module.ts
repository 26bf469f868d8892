import { Module, type DynamicModule } from '@nestjs/common';
import { RESOURCES } from '../serve/resources/index.js';
import { ArgumentResolver } from './arguments/argument-resolver.service.js';
import { SeriesNamer } from './arguments/series-namer.service.js';
import { Averages } from './arguments/averages.service.js';
import { BriefText } from './text/brief-text.service.js';
import { EventText } from './text/event-text.service.js';
import { ChangeText } from './text/change-text.service.js';
import { FigureText } from './text/figure-text.service.js';
import { CompanyFinder } from './arguments/company-finder.service.js';
import { CompanyText } from './text/company-text.service.js';
import { DocumentFinder } from './documents/document-finder.service.js';
import { DocumentReader } from './documents/document-reader.service.js';
import { DocumentsController } from './documents/documents.controller.js';
import { McpEntrance } from './mcp-entrance.service.js';
import { McpController } from './mcp.controller.js';
import { McpErrorFilter } from './mcp-error.filter.js';
import { McpServers } from './mcp-servers.js';
import { SEARCH_TOOLS } from './documents/search-tools.js';
import { SeriesText } from './text/series-text.service.js';
import { ToolRunner } from './calls/tool-runner.service.js';
import { TOOLS } from './tools/tools.js';
import { TextRenderer } from './text/text-renderer.service.js';

/** The MCP transport. `server.ts` connects its strategies. */
@Module({})
export class McpModule {
  static of(baseUrl: string): DynamicModule {
    const tools = [...TOOLS, ...SEARCH_TOOLS];
    return {
      module: McpModule,
      imports: [...RESOURCES],
      controllers: [McpController, DocumentsController, ...tools.map(({ type }) => type)],
      providers: [
        { provide: McpServers, useFactory: () => new McpServers(baseUrl) },
        McpEntrance,
        McpErrorFilter,
        ToolRunner,
        TextRenderer,
        ArgumentResolver,
        SeriesNamer,
        Averages,
        DocumentFinder,
        DocumentReader,
        ChangeText,
        FigureText,
        BriefText,
        CompanyFinder,
        CompanyText,
        EventText,
        SeriesText,
      ],
    };
  }
}
