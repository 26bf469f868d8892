// JSON of any size, token by token, as it comes in.
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { ImportError } from './importer.js';

/** The body ends before its JSON does: worth another try where it came over a network. */
export class CutShortError extends ImportError {
  static of(file: string): CutShortError {
    return new CutShortError(`${file} is cut short: its JSON does not end`);
  }
}

/** No publisher nests deeper; what is held of unclosed brackets would fill the memory. */
const DEEPEST = 64;
/** Bytes without a token: one text or number. */
const LONGEST_VALUE = 1_000_000;

/** Gives the tokens that each chunk completes. It throws an ImportError where they are no JSON in UTF-8. */
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
