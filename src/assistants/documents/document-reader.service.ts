import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { documentCallOf, unknownDocument } from '../protocol/documents.js';
import type { McpRequest } from '../protocol/mcp-request.js';
import { TOOLS } from '../tools/tools.js';

interface RunnableTool {
  run(sent: unknown, mcp: McpContext): Promise<CallToolResult>;
}

/** Reads a document by the tool that its URI stands for, so both always say the same. */
@Injectable()
export class DocumentReader {
  constructor(private readonly modules: ModuleRef) {}

  /** @throws RpcError for a URI that names no document */
  read(uri: string, mcp: McpContext): Promise<CallToolResult> {
    const call = documentCallOf(uri);
    const tool = TOOLS.find(({ definition }) => definition.name === call?.tool);
    const request = mcp.getRawRequest<McpRequest>();
    if (call === null || tool === undefined || request === undefined) throw unknownDocument(uri);
    // The language of texts and errors is that of the URI.
    request.context.query = call.args;
    return this.modules.get<RunnableTool>(tool.type, { strict: false }).run(call.args, mcp);
  }
}
