import { chosenChanges } from '../../src/people/pages/chosen-changes.js';
import type { Change } from '../../src/serve/resources/changes/change.schema.js';

const change = (id: string, key: string) => ({ id, subject: { key } as Change['subject'] });
const ids = (changes: readonly { readonly id: string }[]): string[] => changes.map(({ id }) => id);

describe('The changes that a list of the home shows', () => {
  it('are the first ones, two at most of one indicator', () => {
    const list = [change('a', 'gdp@US'), change('b', 'gdp@DE'), change('c', 'gdp@JP'), change('d', 'brent')];
    expect(ids(chosenChanges(list))).toEqual(['a', 'b', 'd']);
  });

  it('are none that the list beside it shows', () => {
    const list = [change('a', 'gdp@US'), change('b', 'gdp@DE'), change('c', 'gdp@JP')];
    expect(ids(chosenChanges(list, [change('a', 'gdp@US')]))).toEqual(['b', 'c']);
  });
});
