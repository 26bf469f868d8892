// Reads one response of e-Stat's getStatsData (version 3, JSON) as a stream: the head, then each value.
import { Assembler } from 'stream-json/core/assembler.js';
import type { Token } from 'stream-json/core/parser.js';
import { ImportError } from '../../batches/importer.js';
import { CutShortError, jsonTokens } from '../../batches/json-tokens.js';

export interface ResponsePart {
  readonly key: string;
  /** Numbers are texts, as printed. */
  readonly value: unknown;
}

/** Objects whose members are parsed separately; every other member is one part, and so is each value. */
const ENTERED = ['GET_STATS_DATA', 'STATISTICAL_DATA', 'DATA_INF'];
const LIST = 'VALUE';

export async function* responseParts(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<ResponsePart> {
  const tokensOf = jsonTokens(file);
  const tokens = new PartTokens(file);
  for await (const chunk of chunks) {
    for (const token of tokensOf(chunk)) {
      const part = tokens.take(token);
      if (part !== null) yield part;
    }
  }
  if (!tokens.complete) throw CutShortError.of(file);
}

class PartTokens {
  private depth = 0;
  private begun = false;
  private key = '';
  private value: Assembler | null = null;

  constructor(private readonly file: string) {}

  get complete(): boolean {
    return this.begun && this.depth === 0;
  }

  take(token: Token): ResponsePart | null {
    if (this.value !== null) {
      this.value.consume(token);
      if (!this.value.done) return null;
      const { current } = this.value;
      this.value = null;
      return { key: this.key, value: current };
    }
    const opens = token.name === 'startObject' || token.name === 'startArray';
    if (opens && this.enters(token.name)) {
      this.begun = true;
      this.depth += 1;
    } else if (opens) {
      this.value = new Assembler({ numberAsString: true });
      this.value.consume(token);
    } else if (token.name === 'endObject' || token.name === 'endArray') {
      this.depth -= 1;
    } else if (token.name === 'keyValue') {
      this.key = token.value;
    } else if (!this.begun) {
      throw this.refusal();
    }
    return null;
  }

  private enters(opening: 'startObject' | 'startArray'): boolean {
    if (!this.begun) {
      if (opening === 'startArray') throw this.refusal();
      return true;
    }
    return opening === 'startArray' ? this.key === LIST : ENTERED.includes(this.key);
  }

  private refusal(): ImportError {
    return new ImportError(`${this.file} is JSON, but not an answer of e-Stat`);
  }
}
