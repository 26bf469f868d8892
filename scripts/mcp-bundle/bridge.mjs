// Connects a host that starts programs to the MCP endpoint: each line of standard input is a message, each response a
// line of standard output. It has no dependencies, because a bundle contains all that it needs.
import { createInterface } from 'node:readline';

const { TIDEMARK_URL = '', TIDEMARK_KEY = '' } = process.env;
const endpoint = `${TIDEMARK_URL.replace(/\/+$/, '')}/api/v1/mcp`;
const UNREACHABLE = -32_000;

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  if (line.trim() !== '') void forward(line);
});

async function forward(line) {
  const { id, method, params } = JSON.parse(line);
  // From revision 2026-07-28 on, headers repeat what the message says.
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      // A redirect could lead the key to another host.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${TIDEMARK_KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version !== undefined && headersOf(version, method, params)),
      },
      body: line,
    });
    const text = await response.text();
    if (id === undefined || text === '') return;
    // An error before the message was read has no id; the host waits for its own.
    write({ ...JSON.parse(text), id });
  } catch (error) {
    if (id !== undefined) {
      const message = `${endpoint} cannot be reached: ${error.cause?.message ?? error.message}`;
      write({ jsonrpc: '2.0', id, error: { code: UNREACHABLE, message } });
    }
  }
}

function headersOf(version, method, { name, uri }) {
  // Only these methods mirror a name, or a URI; beyond ASCII it is encoded as the protocol has it.
  const value = { 'tools/call': name, 'resources/read': uri }[method];
  const plain = typeof value === 'string' && /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith('=?');
  const encoded = plain ? value : `=?base64?${Buffer.from(String(value)).toString('base64')}?=`;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof value === 'string' && { 'mcp-name': encoded }),
  };
}

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
