// JSON of any size, part by part: the containers that a reader enters are never held whole.
import { Assembler } from 'stream-json/core/assembler.js';
import type { Token } from 'stream-json/core/parser.js';
import { ImportError } from './importer.js';
import { CutShortError, jsonTokens } from './json-tokens.js';

/** Keys of objects and indexes of lists, from 0. */
type JsonPath = readonly (string | number)[];

export interface JsonPart {
  readonly path: JsonPath;
  readonly value: unknown;
}

export interface JsonLayout {
  /** Whether the container at this path is entered; any other value is a part, and so is each value in it. */
  enters(path: JsonPath, bracket: 'startObject' | 'startArray'): boolean;
  /** What to say of a file whose outermost value is not entered: `… is JSON, but not one object`. */
  readonly refusal: string;
  /** Gives numbers as texts, as printed. */
  readonly numberAsString: boolean;
  /** Bytes without the end of a part. */
  readonly longest?: number;
}

/**
 * The parts that each chunk completes, in their order. An empty container gives none.
 * @throws ImportError where it is no such JSON in UTF-8, CutShortError where it ends too early.
 */
export async function* jsonParts(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  layout: JsonLayout,
): AsyncGenerator<readonly JsonPart[]> {
  const tokensOf = jsonTokens(file);
  const reader = new PartReader(file, layout);
  let unfinished = 0;
  for await (const chunk of chunks) {
    const parts = tokensOf(chunk).flatMap((token) => reader.take(token) ?? []);
    unfinished = parts.length === 0 ? unfinished + chunk.byteLength : 0;
    if (unfinished > (layout.longest ?? Infinity))
      throw new ImportError(`${file} is not such an answer: it has no end`);
    yield parts;
  }
  if (!reader.complete) throw CutShortError.of(file);
}

class PartReader {
  private begun = false;
  /** Of the next value, within the entered containers. */
  private readonly path: (string | number)[] = [];
  private value: Assembler | null = null;

  constructor(
    private readonly file: string,
    private readonly layout: JsonLayout,
  ) {}

  get complete(): boolean {
    return this.begun && this.path.length === 0;
  }

  take(token: Token): JsonPart | null {
    if (this.value !== null) {
      this.value.consume(token);
      return this.value.done ? this.finished(this.value.current) : null;
    }
    if (token.name === 'keyValue') this.path.splice(-1, 1, token.value);
    else if (token.name === 'endObject' || token.name === 'endArray') {
      this.path.pop();
      this.advance();
    } else if (token.name === 'startObject' || token.name === 'startArray') this.open(token.name, token);
    else return this.finished(this.scalar(token));
    return null;
  }

  private open(bracket: 'startObject' | 'startArray', token: Token): void {
    if (this.layout.enters(this.path, bracket)) {
      this.begun = true;
      this.path.push(bracket === 'startArray' ? 0 : '');
    } else {
      this.requireBegun();
      this.value = new Assembler({ numberAsString: this.layout.numberAsString });
      this.value.consume(token);
    }
  }

  private scalar(token: Token): unknown {
    this.requireBegun();
    if (!('value' in token)) return null;
    return token.name === 'numberValue' && !this.layout.numberAsString ? Number(token.value) : token.value;
  }

  private finished(value: unknown): JsonPart {
    const part = { path: [...this.path], value };
    this.value = null;
    this.advance();
    return part;
  }

  /** The place behind a finished value of a list. */
  private advance(): void {
    const at = this.path.at(-1);
    if (typeof at === 'number') this.path.splice(-1, 1, at + 1);
  }

  private requireBegun(): void {
    if (!this.begun) throw new ImportError(`${this.file} is JSON, but ${this.layout.refusal}`);
  }
}

export interface JsonMember {
  readonly key: string;
  /** Where the member is a list and this one of its items. */
  readonly index: number | null;
  readonly value: unknown;
}

const ONE_OBJECT: JsonLayout = {
  enters: ({ length }, bracket) =>
    length === 0 ? bracket === 'startObject' : length === 1 && bracket === 'startArray',
  refusal: 'not one object',
  numberAsString: false,
  // Larger than any item of a register.
  longest: 1_000_000,
};

/** The members of one object: a list's items one at a time, all else whole. */
export async function* jsonMembers(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<JsonMember> {
  for await (const parts of jsonParts(chunks, file, ONE_OBJECT)) {
    for (const { path, value } of parts) {
      const [key, index] = path as [key: string, index?: number];
      yield { key, index: index ?? null, value };
    }
  }
}
