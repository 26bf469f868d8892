// runs: in full only
import { syncDue } from '../../src/publish/sync/sync.js';
import { syncedPublisher } from '../../src/publish/sync/synced-publishers.js';
import { LIVE_PUBLISHERS, liveFixture, type LivePublisher } from './live-publishers.js';
import { useSync } from './syncing.js';

/** What each publishes from its whole page: rows of observations or of events. */
const PUBLISHED: Readonly<Record<string, number>> = {
  'the Board’s decisions': 6,
  'the Committee’s meetings': 3,
  'the schedule of the BLS': 1,
  'the calendar of the BEA': 3,
  'the ten-year yield': 3,
  'the Pink Sheet': 3,
};

const sync = useSync();

const publisherOf = ({ importer, fetchAt }: LivePublisher) =>
  syncedPublisher({
    ...importer,
    fetch: (options) => fetchAt(sync.publisher().base, options, { today: '2026-11-20' }),
  });

/** One round an hour after the one before; the publisher answers with the text, else with its fixture. */
async function attempt(live: LivePublisher, text: string | null = null) {
  sync.answer(({ url = '' }, response) =>
    response.end(text !== null && live.spoilt.test(url) ? text : live.answer(url, sync.publisher().base)),
  );
  const [last] = (await sync.history()).slice(-1);
  if (last?.nextAt != null) sync.clock.advance(last.nextAt.getTime() - sync.clock.wall());
  const { attempts } = await syncDue(sync.context(), [publisherOf(live)], () => undefined);
  return attempts[0];
}

const rows = async (): Promise<number> =>
  (
    await sync
      .scratch()
      .sql('SELECT period FROM observations WHERE valid_to IS NULL UNION ALL SELECT period FROM calendar_events')
  ).length;

describe.each(Object.entries(LIVE_PUBLISHERS))('sync of %s', (name, live) => {
  // The shortened workbook has a gap of 66 years.
  const isShort = name === 'the Pink Sheet';

  it('publishes once what the publisher has, and what it had before it answered with another page', async () => {
    expect(await attempt(live, '<html><h1>We will be back</h1></html>')).toMatchObject({ outcome: 'failed' });
    const published = await attempt(live, null);
    if (isShort) {
      expect(published).toMatchObject({ outcome: 'held', why: expect.stringMatching(/gaps/) as string });
      return;
    }
    expect(published).toMatchObject({ outcome: 'new', dataVersion: 1 });
    expect(await attempt(live)).toMatchObject({ outcome: 'nothing new', why: null });
    expect([await rows(), await sync.publications()]).toEqual([PUBLISHED[name], 1]);
  });
});

describe('sync of a live publisher that repeats a row', () => {
  it.each([
    [
      'the Board’s decisions',
      'openmarket.htm',
      /<tr><td class="bold.*?October 30.*?<\/tr>/,
      '4.00',
      '4.10',
      /2025-10-30/,
    ],
    ['the ten-year yield', 'h15.csv', /2026-06,4.47\n/, '4.47', '4.48', /2026-06/],
  ] as const)('publishes nothing of %s', async (name, fixture, row, old, other, where) => {
    const live = LIVE_PUBLISHERS[name];
    if (live === undefined) throw new Error(name);
    const page = liveFixture(fixture);
    const twice = page.replace(row, (line) => line + line.replace(old, other));
    expect(twice).not.toBe(page);
    const made = await attempt(live, twice);
    expect(made).toMatchObject({ outcome: 'failed', why: expect.stringMatching(where) as string });
    expect(await sync.publications()).toBe(0);
  });

  it('publishes nothing of a schedule that gives an event two days, and takes one that gives it twice', async () => {
    const live = LIVE_PUBLISHERS['the schedule of the BLS'];
    if (live === undefined) throw new Error('the BLS');
    const page = liveFixture('cpi.htm');
    const [row = ''] = /<tr[^>]*><td>November 2026.*?<\/tr>/.exec(page) ?? [];
    const made = await attempt(live, page.replace(row, row + row.replace('Dec. 10', 'Dec. 17')));
    expect(made).toMatchObject({
      outcome: 'failed',
      why: expect.stringMatching(/the event is scheduled otherwise/) as string,
    });
    expect(await attempt(live, page.replace(row, row + row))).toMatchObject({ outcome: 'new' });
    expect(await rows()).toBe(1);
  });
});
