import type { CommandContext } from '../../src/commands/context/command-context.js';
import { importProgress } from '../../src/commands/publishing/import-progress.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import { reportLines, sumLines } from '../../src/commands/publishing/report-lines.js';
import type { Delivery } from '../../src/publish/batches/importer.js';

const COUNTS = {
  rows: 2,
  series: 1,
  seriesCreated: 0,
  changed: 2,
  closed: 0,
  releases: 1,
  revisions: 0,
  moves: 0,
  decisions: 0,
  structures: 0,
  corrected: 0,
  withdrawn: 0,
  leftOut: 0,
};
const dayOf = (nth: number): string => `2026-01-${String(nth + 1).padStart(2, '0')}`;
const reportOf = (nth: number, counts: Partial<typeof COUNTS> = {}): ImportReport => ({
  delivery: 'x',
  vintage: dayOf(nth),
  outcome: 'published',
  kind: 'import',
  dataVersion: nth + 1,
  publishedAt: null,
  leftOut: [],
  unnamed: [],
  findings: [],
  quarantined: [],
  heldDelivery: null,
  differences: [],
  counts: { ...COUNTS, ...counts },
  seconds: 0.1,
});

describe('The lines of an import', () => {
  it('tell ten deliveries one by one, then only what an operator has to look at, and end with a sum', () => {
    const reports = Array.from({ length: 12 }, (_, nth) => reportOf(nth, nth === 11 ? { leftOut: 3 } : {}));
    const told = reports.flatMap(reportLines).filter((line) => !line.startsWith(' '));
    expect(told.map((line) => line.slice(0, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11].map(dayOf));
    expect(sumLines(reports)).toEqual([
      '12 vintages, 2026-01-01 to 2026-01-12: 12 data versions, 24 figures new or different, 12 releases',
    ]);
    expect(sumLines(reports.slice(0, 10))).toEqual([]);
  });

  it('tell each phase of the first delivery in a log, and of the later ones a line every five seconds', () => {
    const lines: string[] = [];
    let now = Date.parse('2026-08-01T10:00:00Z');
    const context: Partial<CommandContext> = {
      json: false,
      tty: false,
      now: () => new Date(now),
      err: (line) => void lines.push(line),
    };
    const progress = importProgress(context as CommandContext);
    const show = (nth: number): void => {
      for (const phase of ['reading', 'storing'] as const) {
        progress.show({ vintage: dayOf(nth) } as Delivery, phase, 0, 1);
      }
      progress.clear();
    };
    show(0);
    show(1);
    now += 5_000;
    show(2);
    expect(lines).toEqual(['2026-01-01: reading', '2026-01-01: storing', '2026-01-03: reading']);
  });
});
