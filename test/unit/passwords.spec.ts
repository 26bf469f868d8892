import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { countHashes } from '../support/hash-counter.js';

describe('A password', () => {
  it('is hashed by two workers at a time: owners from a known network first, new passwords last', async () => {
    const passwords = new Passwords();
    const stored = await passwords.hash('tide and moon 47');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await passwords.verify(stored, 'makes the dummy', 'known');
    const counter = countHashes();
    const hash = () => passwords.hash('new');
    const verify = (rank: 'known' | 'sign_in') => passwords.verify(stored, rank, rank);
    // The first two occupy the workers; the rest waits.
    const turns = [hash(), hash(), hash(), verify('sign_in'), verify('sign_in'), verify('known')];
    await Promise.all(turns).finally(() => counter.release());
    expect(counter.begun).toEqual(['new', 'new', 'known', 'sign_in', 'sign_in', 'new']);
  });
});
