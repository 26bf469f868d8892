import { explainError } from '../../src/domain/errors/explain-error.js';

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('The error message of a command', () => {
  it.each([
    [
      'a full disk of the database, without the name of its file',
      coded('53100', 'could not extend file "base/16384/t15_20093": No space left on device'),
      'the disk of the database server is full',
    ],
    ['a full disk of its own', coded('ENOSPC', 'ENOSPC: write'), 'the disk is full'],
    [
      'a server that is being stopped',
      coded('57P01', 'terminating connection due to administrator command'),
      'the database server is stopping or starting: try again (terminating connection due to administrator command)',
    ],
    [
      'a server that was killed',
      new Error('Connection terminated unexpectedly'),
      'the connection to the database was lost: try again',
    ],
    ['anything else in its own words', new Error('no such day'), 'no such day'],
  ])('names %s', (_, error, reason) => {
    expect(explainError(error)).toBe(reason);
  });
});
