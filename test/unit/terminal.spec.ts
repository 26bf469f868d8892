import { UsageError } from '../../src/commands/context/command-context.js';
import { requireYes } from '../../src/commands/terminal/command.js';
import { tableLines } from '../../src/commands/terminal/table.js';
import { timeAgo } from '../../src/commands/terminal/time-ago.js';

const NOW = new Date('2026-11-23T12:00:00Z');

describe('A table', () => {
  const columns = ['name', { heading: 'count', align: 'right' } as const, 'empty', 'note'];
  const rows = [
    ['日本銀行', '7', '', 'policy rate'],
    ['ECB', '1,250', '', 'rates'],
  ];

  it('aligns its columns, with two columns for a Chinese or Japanese character, and leaves out empty ones', () => {
    expect(tableLines(columns, rows)).toEqual([
      'NAME      COUNT  NOTE',
      '日本銀行      7  policy rate',
      'ECB       1,250  rates',
    ]);
  });

  it('is cut at the width of a terminal, never inside a character', () => {
    expect(tableLines(['a'], [['日本銀行']], { width: 6, isColoured: false })).toEqual(['A', '日本…']);
    expect(tableLines(['a'], [['日本銀行']], { width: 8, isColoured: false })).toEqual(['A', '日本銀行']);
  });

  it('colours the states where colours are allowed, also beside wide characters, and never a name', () => {
    const rows = [['日本銀行', 'overdue, expected 3 days ago', 'failed']];
    const screen = { width: 80, isColoured: true };
    expect(tableLines(['name', 'next figure', 'note'], rows, screen)[1]).toBe(
      '日本銀行  \u001b[31moverdue\u001b[39m, expected 3 days ago  failed',
    );
    expect(tableLines(['name', 'status'], [['ada', 'active']], { width: 6, isColoured: true })[1]).toBe('ada  …');
  });

  it('has bold headings where colours are allowed', () => {
    expect(tableLines(['a'], [['b']], { width: 80, isColoured: true })[0]).toBe('\u001b[1mA\u001b[22m');
  });
});

describe('A time', () => {
  it.each([
    ['2026-11-23T11:59:30Z', 'now'],
    ['2026-11-23T11:58:00Z', '2 minutes ago'],
    ['2026-11-23T09:00:00Z', '3 hours ago'],
    ['2026-11-24T13:00:00Z', 'in 1 day'],
    ['2026-08-01T00:00:00Z', '3 months ago'],
    ['2024-11-01T00:00:00Z', '2 years ago'],
  ])('%s is %s', (time, said) => {
    expect(timeAgo(new Date(time), NOW)).toBe(said);
  });
});

describe('A command that deletes', () => {
  const asking = (answer: string) => ({ json: false, ask: () => Promise.resolve(answer) });

  it('goes on after --yes or the answer yes', async () => {
    await expect(requireYes({ json: true, ask: null }, true, 'It')).resolves.toBeUndefined();
    await expect(requireYes(asking(' Y '), false, 'It')).resolves.toBeUndefined();
  });

  it('is refused after any other answer, and where nobody can answer', async () => {
    await expect(requireYes(asking(''), false, 'It')).rejects.toThrow(new UsageError('nothing was done'));
    const refused = requireYes({ json: false, ask: null }, false, 'It');
    await expect(refused).rejects.toThrow(new UsageError('It. Nobody can be asked here: confirm it with --yes'));
  });
});
