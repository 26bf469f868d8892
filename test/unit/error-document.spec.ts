import { CommanderError } from 'commander';
import { HeldError, UsageError } from '../../src/commands/context/command-context.js';
import { errorDocument } from '../../src/commands/context/error-document.js';
import { BadRowsError } from '../../src/publish/publication/bad-rows.js';

describe('The document of a failed command', () => {
  it('has a code, a message and the bad rows', () => {
    const place = { file: 'a.csv', line: 2, column: '2024' };
    const error = new BadRowsError('a.csv', 1, [{ place, reason: 'is no number' }]);
    expect(errorDocument(error)?.error).toEqual({
      code: 'bad_rows',
      message: error.message,
      badRows: [{ ...place, reason: 'is no number' }],
    });
    expect(errorDocument(new UsageError('--since'))).toEqual({ error: { code: 'usage', message: '--since' } });
    expect(errorDocument(new CommanderError(1, 'x', "error: unknown option '--x'"))?.error).toMatchObject({
      code: 'usage',
      message: "unknown option '--x'",
    });
    expect(errorDocument(new Error('x'))?.error.code).toBe('failed');
  });

  it('has the reports of what was published before the failure', () => {
    const error = Object.assign(new Error('x'), { reports: [{ outcome: 'published' }] });
    expect(errorDocument(error)).toMatchObject({ error: { code: 'failed' }, reports: [{ outcome: 'published' }] });
  });

  it('is left out for a held delivery, whose report is printed', () => {
    expect(errorDocument(new HeldError('held'))).toBeNull();
  });
});
