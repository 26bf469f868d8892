import { Ctx, Payload } from '@nestjs/microservices';
import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { McpContext, McpController, ResourceTemplate } from '@rekog/mcp-nest';
import { asRpcError } from '../protocol/json-rpc.js';
import { DocumentReader } from './document-reader.service.js';
import type { McpRequest } from '../protocol/mcp-request.js';

/** Reads every document: the message check has refused other URIs, and the strategy has the lists. */
@McpController()
export class DocumentsController {
  constructor(private readonly reader: DocumentReader) {}

  @ResourceTemplate({ name: 'document', uriTemplate: 'tidemark://{kind}/{key}' })
  async read(@Payload() { uri }: { uri: string }, @Ctx() mcp: McpContext): Promise<ReadResourceResult> {
    const { content, isError } = await this.reader.read(uri, mcp);
    if (isError === true) {
      const request = mcp.getRawRequest<McpRequest>();
      // The controller of the endpoint throws it once the library is done.
      if (request?.error !== undefined) request.fault = asRpcError(request.error);
      return { contents: [] };
    }
    const text = content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
    return { contents: [{ uri, mimeType: 'text/plain', text }] };
  }
}
