import fc from 'fast-check';
import { JsonPieces, JsonText, piecesOf } from '../../src/serve/responses/json-text.js';

const stored = fc.jsonValue().map((value) => new JsonText(JSON.stringify(value)));
const list = fc.array(fc.oneof(stored, fc.jsonValue()));
const member = fc.oneof(list, fc.jsonValue(), fc.constant(undefined));
const pieces = (value: object) => new JsonPieces(piecesOf(value));
const textOf = (value: object) => pieces(value).bytes.toString();

describe('The JSON of a response', () => {
  it.each([
    ['a list with stored texts', list],
    ['an object with such lists', fc.dictionary(fc.string(), member)],
  ])('of %s is what JSON.stringify writes of the parsed values', (_, values) => {
    fc.assert(fc.property(values, (value) => textOf(value) === JSON.stringify(value)));
  });

  it('contains a stored text as it is', () => {
    const text = '{ "a": 1.0 }';
    expect(textOf({ changes: [new JsonText(text), { b: 2 }] })).toBe(`{"changes":[${text},{"b":2}]}`);
    expect(textOf([new JsonText(text)])).toBe(`[${text}]`);
  });

  it('has another identity where a stored text differs, and the same where it does not', () => {
    const identityOf = (text: string) => pieces([new JsonText(text), { b: 2 }]).identity;
    expect(identityOf('{"a":1}')).toBe(identityOf('{"a":1}'));
    expect(identityOf('{"a":1}')).not.toBe(identityOf('{"a":2}'));
  });
});
