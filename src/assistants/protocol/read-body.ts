import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../domain/errors/api-error.js';

const MAX_BODY_BYTES = 100_000;

const JSON_TYPE = /^application\/json *(; *charset *= *"?utf-?8"? *)?$/i;

/**
 * The body as JSON.
 * @throws ApiError `unsupported_media_type`, `body_too_large` or `malformed_request`
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const { headers } = request;
  const coding = headers['content-encoding'] ?? 'identity';
  if (!JSON_TYPE.test(headers['content-type']?.trim() ?? '') || coding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new ApiError('body_too_large');
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new ApiError('malformed_request', {}, { cause: error });
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= MAX_BODY_BYTES) chunks.push(chunk);
        else reject(new ApiError('body_too_large'));
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', (error) => reject(new ApiError('malformed_request', {}, { cause: error })));
  });
}
