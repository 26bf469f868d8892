/** Reads to the end what is held elsewhere already, so that whoever counts the bytes is told of all of them. */
export async function drained(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const { byteLength } of chunks) size += byteLength;
  return size;
}
