import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDue, watch } from '../../src/publish/sync/sync.js';
import { whileClaimed } from '../../src/publish/sync/claim.js';
import { retractVersion } from '../../src/publish/versions/retract-version.js';
import { archive, useSync } from './syncing.js';

const RATES = {
  '2026-11-16': '1.1590,181.10',
  '2026-11-17': '1.1601,181.32',
  '2026-11-18': '1.1588,180.95',
  '2026-11-19': '1.1612,181.47',
};
const FRIDAY = { ...RATES, '2026-11-20': '1.1620,181.60' };

describe('sync', () => {
  const sync = useSync();
  const gives = (body: Buffer | string): void => sync.answer((_, response) => void response.end(body));
  const outcomes = async () => (await sync.history()).map(({ outcome }) => outcome);

  it('publishes a release on its day, with the day of its figures as the vintage, and is then due at the next', async () => {
    gives(archive(FRIDAY));
    const { attempts, wakeAt } = await sync.round();
    expect(attempts).toEqual([
      expect.objectContaining({
        publisher: 'ecb',
        outcome: 'new',
        why: null,
        dataVersion: 1,
        vintage: '2026-11-20',
        nextAt: new Date('2026-11-23T15:00:00Z'),
      }),
    ]);
    // It looks again each hour, in case that another process imports.
    expect(wakeAt).toEqual(new Date('2026-11-20T16:00:00Z'));
    expect(await sync.history()).toEqual(attempts);
  });

  it('asks nobody before the next release', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    const { attempts } = await sync.round('2026-11-23T14:59:59Z');
    expect([attempts, sync.publisher().asked]).toEqual([[], ['/eurofxref-hist.zip']]);
  });

  it('records figures that repeat what is held as nothing new, publishes nothing, and asks again while they are late', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    const { attempts } = await sync.round('2026-11-23T15:00:00Z');
    expect(attempts).toMatchObject([
      { outcome: 'nothing new', dataVersion: null, nextAt: new Date('2026-11-23T15:15:00Z') },
    ]);
    expect(await sync.publications()).toBe(1);
    gives(archive({ ...FRIDAY, '2026-11-23': '1.1633,181.80' }));
    await sync.round('2026-11-23T15:15:00Z');
    expect(await outcomes()).toEqual(['new', 'nothing new', 'new']);
    expect(await sync.publications()).toBe(2);
  });

  it('asks again soon after a release, however long the figure of the one before has not come', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    const late = ['15:00', '15:15', '15:45', '16:45', '18:45', '22:45'];
    for (const time of late) await sync.round(`2026-11-23T${time}:00Z`);
    const { attempts } = await sync.round('2026-11-24T15:00:00Z');
    expect(attempts).toMatchObject([{ outcome: 'nothing new', nextAt: new Date('2026-11-24T15:15:00Z') }]);
  });

  it('looks only once into files that bring nothing new, until there is another file', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    await sync.scratch().sql(`DELETE FROM observations WHERE period = '2026-11-19'`);
    await sync.round('2026-11-23T15:00:00Z');
    expect(await outcomes()).toEqual(['new', 'nothing new']);
    gives(archive({ ...FRIDAY, '2026-11-23': '1.1633,181.80' }));
    await sync.round('2026-11-23T15:15:00Z');
    const stored = await sync.scratch().sql(`SELECT FROM observations WHERE period = '2026-11-19'`);
    expect([await outcomes(), stored.length]).toEqual([['new', 'nothing new', 'new'], 2]);
  });

  it('imports the same files again after a retraction', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    await retractVersion(sync.scratch().publisher, 1, 'tried', () => new Date('2026-11-20T16:00:00Z'));
    await sync.round('2026-11-23T15:00:00Z');
    expect(await sync.history()).toMatchObject([{ outcome: 'new' }, { outcome: 'new', vintage: '2026-11-20' }]);
  });

  it('waits longer each time for a publisher that is down, and imports when it is back', async () => {
    sync.answer((_, response) => void response.writeHead(503).end());
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { attempts } = await sync.round();
      const [made] = attempts;
      waits.push((made?.nextAt?.getTime() ?? 0) - sync.clock.wall());
      sync.clock.advance(waits.at(-1) ?? 0);
    }
    expect(waits.map((wait) => wait / 60_000)).toEqual([5, 10, 20, 20]);
    expect((await sync.history())[0]?.why).toMatch(/eurofxref-hist\.zip: the server responded with 503 \(2 tries\)$/);
    gives(archive(FRIDAY));
    await sync.round();
    expect(await outcomes()).toEqual(['failed', 'failed', 'failed', 'failed', 'new']);
  });

  it.each<readonly [string, string | Buffer, RegExp]>([
    [
      'a page instead of figures',
      '<html><h1>We are\nimproving</h1></html>',
      /not a ZIP archive, but says "We are improving"$/,
    ],
    ['nothing', '', /not a ZIP archive, but says ""$/],
    ['half an archive', archive(FRIDAY).subarray(0, 90), /incomplete ZIP archive/],
    [
      'an altered archive',
      Buffer.concat([archive(FRIDAY).subarray(0, 60), Buffer.from('x'), archive(FRIDAY).subarray(61)]),
      /damaged/,
    ],
    ['too much', Buffer.alloc(1_000_001), /larger than 1000000 bytes/],
    ['a rate that is no number', archive({ '2026-11-20': '1.1620,181.60', '2026-11-19': '1.1612,many' }), /bad row/],
    ['rates of the future', archive({ ...FRIDAY, '2026-11-24': '1.16,181.6' }), /lies in the future/],
  ])('records in one line that a publisher gave %s, and publishes nothing', async (_, body, why) => {
    gives(body);
    await sync.round();
    const [attempt] = await sync.history();
    expect(attempt).toMatchObject({ outcome: 'failed', why: expect.stringMatching(why) as string });
    expect(attempt?.why).not.toMatch(/\n/);
    expect(await sync.publications()).toBe(0);
  });

  it('records a response that ends too early, and one that never comes', async () => {
    sync.answer((_, response) => {
      response.writeHead(200, { 'content-length': '5000' }).write('PK');
      response.destroy();
    });
    await sync.round();
    sync.answer(() => undefined);
    await sync.round('2026-11-20T15:05:00Z', { timeoutMs: 50 });
    expect((await sync.history()).map(({ why }) => why)).toEqual([
      expect.stringContaining('the connection failed (2 tries)'),
      expect.stringContaining('no response within 50 ms (2 tries)'),
    ]);
  });

  it('keeps a delivery that looks wrong for a decision, and imports the mended one in a quarter of an hour', async () => {
    gives(archive(RATES));
    await sync.round('2026-11-19T16:00:00Z');
    gives(archive({ ...FRIDAY, '2026-11-20': '116.20,18160' }));
    const { attempts } = await sync.round('2026-11-20T15:00:00Z');
    expect(attempts).toMatchObject([
      {
        outcome: 'held',
        why: expect.stringMatching(/^delivery \d+: 2 series wait: jump/) as string,
        nextAt: new Date('2026-11-20T15:15:00Z'),
      },
    ]);
    await sync.round('2026-11-20T15:15:00Z');
    expect(await sync.scratch().sql('SELECT state FROM held_deliveries')).toEqual([{ state: 'held' }]);
    gives(archive({ ...FRIDAY, '2026-11-20': '1.1620,181.60' }));
    await sync.round('2026-11-20T15:30:00Z');
    expect(await outcomes()).toEqual(['new', 'held', 'held', 'new']);
  });

  it('publishes the other currencies of a delivery with a wrong one, and that one once it is right', async () => {
    gives(archive(RATES));
    await sync.round('2026-11-19T16:00:00Z');
    gives(archive({ ...FRIDAY, '2026-11-20': '1.1620,18160' }));
    const { attempts } = await sync.round('2026-11-20T15:00:00Z');
    expect(attempts).toMatchObject([
      { outcome: 'new', why: expect.stringMatching(/^delivery \d+: eurjpy waits?: .*jump/) as string },
    ]);
    gives(archive({ ...FRIDAY, '2026-11-23': '1.1633,181.80' }));
    await sync.round('2026-11-23T15:00:00Z');
    expect(await sync.scratch().sql('SELECT state FROM held_deliveries')).toEqual([{ state: 'superseded' }]);
  });

  it('deletes downloads after a week', async () => {
    gives(archive(FRIDAY));
    const context = sync.context();
    const round = () => syncDue(context, [sync.ecbWith()], () => undefined);
    await round();
    sync.clock.advance(8 * 86_400_000);
    await round();
    expect(await readdir(join(context.dataDir, 'downloads/ecb'))).toEqual(['retrieved-2026-11-28']);
  });

  it('leaves a publisher alone on which another process works, and looks again in a minute', async () => {
    gives(archive(FRIDAY));
    await whileClaimed(sync.scratch().publisher, 'ecb', async () => {
      const { attempts, wakeAt } = await sync.round();
      expect([attempts, wakeAt]).toEqual([[], new Date('2026-11-20T15:01:00Z')]);
    });
    expect(await sync.history()).toEqual([]);
    await sync.round();
    expect(await outcomes()).toEqual(['new']);
  });

  it('records an attempt whose process was killed, once, and takes it over', async () => {
    await sync
      .scratch()
      .sql(`INSERT INTO sync_attempts (publisher, started_at) VALUES ('ecb', '2026-11-20T14:00:00Z')`);
    gives(archive(FRIDAY));
    const { attempts } = await sync.round();
    expect(attempts).toMatchObject([
      { outcome: 'failed', why: 'the process was killed, nothing was published' },
      { outcome: 'new', dataVersion: 1 },
    ]);
    expect(await sync.history()).toEqual(attempts);
  });

  it('records what an attempt had published before its process was killed', async () => {
    gives(archive(FRIDAY));
    await sync.round();
    await sync.scratch().sql('UPDATE sync_attempts SET outcome = NULL, ended_at = NULL, next_at = NULL');
    await sync.round('2026-11-20T15:02:00Z');
    expect(await sync.history()).toMatchObject([
      { outcome: 'new', dataVersion: 1, vintage: '2026-11-20', why: 'the process was killed after publishing' },
      { outcome: 'nothing new' },
    ]);
  });

  it('publishes nothing in an attempt that another process has taken over', async () => {
    gives(archive(FRIDAY));
    sync.answer((_, response) => {
      void sync
        .scratch()
        .sql(`UPDATE sync_attempts SET outcome = 'failed', ended_at = now(), next_at = now()`)
        .then(() => response.end(archive(FRIDAY)));
    });
    await expect(sync.round()).rejects.toThrow('another sync took over');
    expect([await outcomes(), await sync.publications()]).toEqual([['failed'], 0]);
  });

  it('records an attempt that it was asked to stop, which is then due at once', async () => {
    const stop = new AbortController();
    sync.answer(() => stop.abort());
    await syncDue(sync.context({ signal: stop.signal }), [sync.ecbWith()], () => undefined);
    expect(await sync.history()).toMatchObject([
      { outcome: 'failed', why: 'stopped before it ended, nothing was published', nextAt: new Date(sync.clock.wall()) },
    ]);
  });

  it('sleeps to the next release, also over a database that is away, until it is stopped', async () => {
    gives(archive(FRIDAY));
    const stop = new AbortController();
    const context = sync.context({ signal: stop.signal });
    const slept: string[] = [];
    const errors: unknown[] = [];
    let rounds = 0;
    await watch(
      () => {
        rounds += 1;
        if (rounds === 2) return Promise.reject(new Error('Connection terminated'));
        return syncDue(context, [sync.ecbWith()], () => undefined);
      },
      {
        signal: stop.signal,
        now: context.now,
        onError: (error) => errors.push(error),
        sleep: (milliseconds) => {
          sync.clock.advance(milliseconds);
          slept.push(context.now().toISOString().slice(0, 16));
          if (context.now() >= new Date('2026-11-23T15:30:00Z')) stop.abort();
          return Promise.resolve();
        },
      },
    );
    expect(slept.slice(0, 3)).toEqual(['2026-11-20T16:00', '2026-11-20T16:01', '2026-11-20T17:01']);
    expect(slept.slice(-3)).toEqual(['2026-11-23T15:00', '2026-11-23T15:15', '2026-11-23T15:45']);
    expect(errors).toHaveLength(1);
    expect(await outcomes()).toEqual(['new', 'nothing new', 'nothing new']);
  });
});
