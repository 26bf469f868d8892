// Tokenises JSON of any size as it arrives.
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { ImportError } from './importer.js';

/** The body ends before its JSON does; a download may succeed when it is repeated. */
export class CutShortError extends ImportError {
  static of(file: string): CutShortError {
    return new CutShortError(`${file} is incomplete: its JSON does not end`);
  }
}

/** No publisher nests deeper; unclosed brackets would otherwise fill the memory. */
const DEEPEST = 64;
/** The most bytes of one text or number. */
const LONGEST_VALUE = 1_000_000;

/**
 * Returns the tokens that each chunk completes.
 * @throws ImportError if they are no JSON in UTF-8
 */
export function jsonTokens(file: string): (chunk: Uint8Array) => readonly Token[] {
  const tokenize = jsonParser({ streamValues: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let silent = 0;
  const parse = (chunk: Uint8Array): readonly Token[] => {
    try {
      const tokens = tokenize(decoder.decode(chunk, { stream: true }));
      return typeof tokens === 'object' && 'values' in tokens ? tokens.values : [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ImportError(`${file} is not JSON in UTF-8: ${why}`, { cause: error });
    }
  };
  return (chunk) => {
    const tokens = parse(chunk);
    silent = tokens.length === 0 ? silent + chunk.byteLength : 0;
    if (silent > LONGEST_VALUE) throw new ImportError(`${file} holds a value of more than a million bytes`);
    for (const { name } of tokens) {
      if (name === 'startObject' || name === 'startArray') depth += 1;
      else if (name === 'endObject' || name === 'endArray') depth -= 1;
      if (depth > DEEPEST) throw new ImportError(`${file} is nested more than ${DEEPEST} levels deep`);
    }
    return tokens;
  };
}
