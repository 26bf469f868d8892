// runs: in full only
import fc from 'fast-check';
import { AccountFlow, type FlowWorld } from '../support/account-flows.js';
import { flows } from '../support/account-moves.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { faultyLines } from '../support/log-faults.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** The long form is `npm run attack -- flows`. */
const FLOWS = Number(process.env['TIDEMARK_PROPERTY_RUNS'] ?? exhaustively(200, 20));
const MINUTES = process.env['TIDEMARK_PROPERTY_MINUTES'];

jest.setTimeout(60 * 60_000);

describe('The account page, used in any order by one person with two browsers', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  let service: TestServer;
  let world: FlowWorld;
  const clock = new StoppedClock('2026-09-01T12:00:00Z');

  beforeAll(async () => {
    [database, mailbox] = [await createTestDatabase(), await openMailbox()];
    service = await startTestServer({ database, clock, environment: { SMTP_URL: mailbox.url } });
    const stranger = 'stranger@mail.example';
    await service.access.createAccount({ email: stranger, plan: 'pro', signedUpAt: new Date(0) });
    const strangersKey = (await service.access.createKey(stranger, 'own')).key.id;
    world = { service, mailbox, clock, source: await database.open('admin'), strangersKey };
  });
  afterAll(async () => {
    await service.close();
    await mailbox.close();
    await database.drop();
  });

  it('keeps each promise: caps and lives of keys, one account a mailbox, sessions that end', async () => {
    let count = 0;
    const property = fc.asyncProperty(flows, async (flow) => {
      count += 1;
      await new AccountFlow(world).run(flow);
    });
    const time = MINUTES === undefined ? {} : { interruptAfterTimeLimit: Number(MINUTES) * 60_000 };
    await fc.assert(property, { numRuns: FLOWS, ...time });
    if (MINUTES === undefined) expect(count).toBe(FLOWS);
    else process.stdout.write(`${String(count)} flows\n`);
    const [strangers] = await service.access.listKeys('stranger@mail.example');
    expect(strangers).toMatchObject({ id: world.strangersKey, revokedAt: null, expiresAt: null });
    expect(faultyLines(service.lines.join('\n'), false)).toEqual([]);
  });
});
