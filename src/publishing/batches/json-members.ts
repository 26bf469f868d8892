// Reads one JSON object of any size, member by member: lists item by item, every other member whole.
import { Assembler } from 'stream-json/core/assembler.js';
import type { Token } from 'stream-json/core/parser.js';
import { ImportError } from './importer.js';
import { CutShortError, jsonTokens } from './json-tokens.js';

export interface JsonMember {
  readonly key: string;
  /** The index, from 0, if the member is a list and this is one of its items. */
  readonly index: number | null;
  readonly value: unknown;
}

/** Larger than any item of a register; bounds memory. */
const LONGEST_UNFINISHED = 1_000_000;

/**
 * The members in order. An empty list yields none.
 * @throws ImportError if the text is no JSON object in UTF-8, CutShortError if it ends too early
 */
export async function* jsonMembers(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<JsonMember> {
  const tokensOf = jsonTokens(file);
  const members = new MemberTokens(file);
  let unfinished = 0;
  for await (const chunk of chunks) {
    unfinished += chunk.byteLength;
    for (const token of tokensOf(chunk)) {
      const member = members.take(token);
      if (member === null) continue;
      unfinished = 0;
      yield member;
    }
    if (unfinished > LONGEST_UNFINISHED)
      throw new ImportError(`${file} is not such an answer: it has no end`);
  }
  if (!members.complete) throw CutShortError.of(file);
}

class MemberTokens {
  complete = false;
  private begun = false;
  private key: string | null = null;
  /** The index of the next item inside a list. */
  private index: number | null = null;
  private value: Assembler | null = null;

  constructor(private readonly file: string) {}

  take(token: Token): JsonMember | null {
    if (this.value !== null) {
      this.value.consume(token);
      return this.value.done ? this.finished(this.value.current) : null;
    }
    if (!this.begun) {
      if (token.name !== 'startObject') throw new ImportError(`${this.file} is JSON, but not one object`);
      this.begun = true;
    } else if (token.name === 'keyValue') {
      this.key = token.value;
    } else if (token.name === 'endObject') {
      this.complete = true;
    } else if (token.name === 'endArray') {
      [this.key, this.index] = [null, null];
    } else if (token.name === 'startArray' && this.index === null) {
      this.index = 0;
    } else if (token.name === 'startObject' || token.name === 'startArray') {
      this.value = new Assembler();
      this.value.consume(token);
    } else {
      return this.finished(plainValue(token));
    }
    return null;
  }

  private finished(value: unknown): JsonMember {
    this.value = null;
    const { key, index } = this;
    if (index === null) this.key = null;
    else this.index = index + 1;
    return { key: key ?? '', index, value };
  }
}

function plainValue(token: Token): unknown {
  if (token.name === 'trueValue' || token.name === 'falseValue') return token.value;
  if (token.name === 'stringValue') return token.value;
  return token.name === 'numberValue' ? Number(token.value) : null;
}
