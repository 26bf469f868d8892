// JSON of any size, token by token, as it comes in.
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { ImportError } from '../importer.js';

/** The body ends before its JSON does: worth another try where it came over a network. */
export class CutShortError extends ImportError {
  static of(file: string): CutShortError {
    return new CutShortError(`${file} is cut short: its JSON does not end`);
  }
}

/** Gives the tokens that each chunk completes. It throws an ImportError where they are no JSON in UTF-8. */
export function jsonTokens(file: string): (chunk: Uint8Array) => readonly Token[] {
  const tokenize = jsonParser({ streamValues: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      const tokens = tokenize(decoder.decode(chunk, { stream: true }));
      return typeof tokens === 'object' && 'values' in tokens ? tokens.values : [];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ImportError(`${file} is not JSON in UTF-8: ${why}`, { cause: error });
    }
  };
}
