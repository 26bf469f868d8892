import { createHash } from 'node:crypto';

/** A value whose JSON is stored: a response contains its bytes as they are, and code that reads the value parses them once. */
export class JsonText<Value> {
  readonly bytes: Buffer;
  /** Equal for equal bytes. */
  readonly digest: string;
  private parsed: Value | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.digest = createHash('sha256').update(this.bytes).digest('base64url');
  }

  get value(): Value {
    return (this.parsed ??= JSON.parse(this.bytes.toString()) as Value);
  }

  toJSON(): Value {
    return this.value;
  }
}

/** A text between stored ones, or a stored one. */
type Piece = string | JsonText<unknown>;

/** JSON in pieces, of which stored texts are neither parsed nor encoded nor hashed again. */
export class JsonPieces {
  constructor(private readonly pieces: readonly Piece[]) {}

  get bytes(): Buffer {
    return Buffer.concat(this.pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes)));
  }

  /** Stands for the bytes in a hash: a stored text is its digest. */
  get identity(): string {
    return this.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.digest)).join('');
  }
}

/** As `JSON.stringify`, but a list of stored texts, itself or a member of an object, is joined and not parsed. */
export function piecesOf(value: object): Piece[] {
  if (isOfTexts(value)) return listed(value);
  const members = Array.isArray(value) ? [] : Object.entries(value);
  if (!members.some(([, member]) => isOfTexts(member))) return [JSON.stringify(value)];
  const written = members.flatMap(([name, member]: [string, unknown]) => {
    const pieces = isOfTexts(member) ? listed(member) : [pieceOf(member)];
    // JSON has no text for a member that is undefined.
    return pieces[0] === undefined ? [] : [[`${JSON.stringify(name)}:`, ...(pieces as Piece[])]];
  });
  return enclosed('{', written, '}');
}

const isOfTexts = (value: unknown): value is unknown[] => Array.isArray(value) && value[0] instanceof JsonText;

const listed = (values: readonly unknown[]): Piece[] =>
  enclosed(
    '[',
    values.map((value) => [pieceOf(value) ?? 'null']),
    ']',
  );

const enclosed = (open: string, items: readonly (readonly Piece[])[], close: string): Piece[] => [
  open,
  ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])),
  close,
];

const pieceOf = (value: unknown): Piece | undefined => (value instanceof JsonText ? value : JSON.stringify(value));
