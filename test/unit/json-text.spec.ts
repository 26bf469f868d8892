import fc from 'fast-check';
import { jsonOf, JsonText } from '../../src/serve/responses/json-text.js';

const stored = fc.jsonValue().map((value) => new JsonText(JSON.stringify(value)));
const list = fc.array(fc.oneof(stored, fc.jsonValue()));
const member = fc.oneof(list, fc.jsonValue(), fc.constant(undefined));

describe('The JSON of a response', () => {
  it.each([
    ['a list with stored texts', list],
    ['an object with such lists', fc.dictionary(fc.string(), member)],
  ])('of %s is what JSON.stringify writes of the parsed values', (_, values) => {
    fc.assert(fc.property(values, (value) => jsonOf(value) === JSON.stringify(value)));
  });

  it('contains a stored text as it is', () => {
    const text = '{ "a": 1.0 }';
    expect(jsonOf({ changes: [new JsonText(text), { b: 2 }] })).toBe(`{"changes":[${text},{"b":2}]}`);
    expect(jsonOf([new JsonText(text)])).toBe(`[${text}]`);
  });
});
