/** A filter of the language jq, which compiles. It returns what it selects as lines; a text stands without quotes. */
export type JsonFilter = (document: string) => Promise<string>;

/** @throws Error if the text is no filter */
export async function jsonFilter(text: string): Promise<JsonFilter> {
  const { raw } = (await import('jq-wasm')).default;
  const run = async (document: string, filter: string): Promise<string> => {
    try {
      return await raw(document, filter, ['--raw-output']);
    } catch (error) {
      throw new Error(firstLineOf(error), { cause: error });
    }
  };
  // It is compiled, and runs on nothing: a command that deletes must not find a slip of the pen afterwards.
  await run('null', `empty | (${text}\n)`);
  return (document) => run(document, text);
}

function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : '').split('\n');
  return line
    .replace(/^Failed to execute raw query: /, '')
    .replace(/ \(Unix shell quoting issues\?\)| at <top-level>.*$| \(at [^)]*\)/g, '');
}
