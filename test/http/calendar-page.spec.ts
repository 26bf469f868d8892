// runs: in full only
import { calendarFile, importCalendar } from '../support/calendar.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer } from '../support/server.js';
import { StoppedClock } from '../support/clock.js';

describe('The page of the calendar', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await importCalendar(await database.open('import'), 'releases', [calendarFile('us-cpi.csv')]);
  });
  afterAll(() => database.drop());

  it('shows what came out last where nothing is stored of the days ahead, unless a day is asked for', async () => {
    const later = await startTestServer({ database, clock: new StoppedClock('2035-06-01T12:00:00Z') });
    const texts = await Promise.all(
      ['?locale=en', '?locale=zh', '?locale=ja', '?locale=en&day=2035-06-01'].map(
        async (query) => (await later.get(`/calendar${query}`)).text,
      ),
    );
    const file = (await later.get('/calendar?locale=en&format=csv')).text;
    await later.close();
    expect(file).toMatch(/^evt_/m);
    const [en = '', zh = '', ja = '', asked = ''] = texts;
    expect([en, zh, ja].map((text) => /came out last|最近公布|直近の公表/.exec(text)?.[0])).toEqual([
      'came out last',
      '最近公布',
      '直近の公表',
    ]);
    for (const text of [en, zh, ja]) expect(text).toMatch(/href="\/calendar\/evt_/);
    expect(asked).not.toContain('came out last');
  });
});
