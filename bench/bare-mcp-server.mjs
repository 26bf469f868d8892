// The protocol SDK's own server on bare `node:http`, stateless: one tool that returns a fixed result. No key, no limit.
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const { port, result } = JSON.parse(process.env.BENCH_SERVER);
const inputSchema = z.strictObject({
  limit: z.number().int().min(1).max(25).default(10),
  locale: z.string().optional(),
});

function makeServer() {
  const server = new McpServer({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.registerTool('latest_changes', { description: 'The same answer', inputSchema }, () => result);
  return server;
}

createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.end('ready');
    return;
  }
  const server = makeServer();
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('finish', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(port, '127.0.0.1');
