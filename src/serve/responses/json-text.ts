/** A value whose JSON is stored: a response contains the text as it is, and code that reads the value parses it once. */
export class JsonText<Value> {
  private parsed: Value | undefined;

  constructor(readonly text: string) {}

  get value(): Value {
    return (this.parsed ??= JSON.parse(this.text) as Value);
  }

  toJSON(): Value {
    return this.value;
  }
}

/** As `JSON.stringify`, but a list of stored texts, itself or a member of an object, is joined and not parsed. */
export function jsonOf(value: object): string {
  if (isOfTexts(value)) return `[${value.map(textOf).join(',')}]`;
  const members = Array.isArray(value) ? [] : Object.entries(value);
  if (!members.some(([, member]) => isOfTexts(member))) return JSON.stringify(value);
  const written = members.flatMap(([name, member]: [string, unknown]) => {
    const text = isOfTexts(member) ? jsonOf(member) : textOf(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${written.join(',')}}`;
}

const isOfTexts = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value[0] instanceof JsonText;

/** Undefined where JSON has no text, as of a member that is undefined. */
const textOf = (value: unknown): string | undefined =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
