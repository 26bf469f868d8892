import pg from 'pg';
import type { DataSource } from 'typeorm';
import { Alerts } from '../../src/serve/following/alerts.js';
import { Follows } from '../../src/serve/following/follows.js';
import { Notifications } from '../../src/people/notifications/notifications.js';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner, type SiteOwner } from '../support/site-owner.js';
import { ownTables } from '../support/tenants.js';

jest.setTimeout(300_000);

/** A condition on the account: `account_id = $1`, or by TypeORM `"ApiKey"."account_id" = $1`. */
const FILTER = /(?:"?\w+"?\.)?"?account_id"? = \$\d+|\ba\.id = \$1|"Account"\."id" = \$1/g;
/** Occurs in every row of the other account that anybody could see. */
const BOBS = 'bobs-secret';

interface Mutation {
  readonly sql: string;
  /** Which of the statement's conditions is true for every row. */
  readonly at: number;
}

let mutation: Mutation | null = null;
let mutated = 0;
let isRecording = false;
const seen = new Set<string>();

/** Rewrites statements at the driver, so that whatever module sends one, it loses a condition. */
function tamper(): () => void {
  const prototype = pg.Client.prototype as unknown as { query: (...sent: unknown[]) => unknown };
  const { query } = prototype;
  const rewritten = (sql: string): string => {
    if (isRecording && [...sql.matchAll(FILTER)].length > 0) seen.add(sql);
    if (mutation?.sql !== sql) return sql;
    mutated += 1;
    let index = 0;
    const at = mutation.at;
    return sql.replace(FILTER, (condition) => (index++ === at ? `(${condition} OR true)` : condition));
  };
  prototype.query = function (this: unknown, statement: unknown, ...rest: unknown[]) {
    const {
      text,
      name: _name,
      ...others
    } = (typeof statement === 'string' ? { text: statement } : statement) as { text?: string; name?: string };
    if (text === undefined) return query.call(this, statement, ...rest);
    const sql = rewritten(text);
    if (sql === text) return query.call(this, statement, ...rest);
    return query.call(this, typeof statement === 'string' ? sql : { ...others, text: sql }, ...rest);
  };
  return () => void (prototype.query = query);
}

describe('Without any one of its conditions on the account, a statement', () => {
  let database: TestDatabase;
  let service: TestServer;
  let owner: DataSource;
  let [ann, bob]: SiteOwner[] = [];
  let restore: () => void;
  const clock = new RunningClock();

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database, clock, environment: { WEBHOOKS: 'on' } });
    owner = await database.open('admin');
    [ann, bob] = [await siteOwner(service, database, 'ann'), await siteOwner(service, database, BOBS)];
    const get = <T>(type: new (...args: never[]) => T): T => service.server.app.get(type, { strict: false });
    for (const { email, accountId } of [ann, bob]) {
      const name = email.startsWith(BOBS) ? BOBS : 'anns';
      await service.access.createKey(email, name);
      await get(Follows).add(email, 'country', name === BOBS ? 'JP' : 'DE');
      await get(Alerts).add(email, { type: 'country', key: 'JP', metric: 'any_change', name });
      await get(Notifications).addWebhook(accountId, `https://${name}.example/hook`);
      await get(Notifications).sendTest(accountId);
    }
    await owner.query(`UPDATE account_sessions SET client = $2 WHERE account_id = $1`, [bob.accountId, BOBS]);
    restore = tamper();
  });
  afterAll(async () => {
    restore();
    await service.close();
    await database.drop();
  });

  /** What Ann does with the API and the account page; returns all that she is sent. */
  async function everything(): Promise<string> {
    if (ann === undefined) throw new Error('Nobody is signed in');
    const { visitor, key } = ann;
    // Rested limits.
    clock.advance(61_000);
    const told: string[] = [];
    for (const path of ['following/changes', 'alerts']) {
      told.push((await service.get(`/api/v1/${path}`, key)).text);
    }
    const pages = ['', '/sessions', '/activity', '/follows', '/alerts', '/notifications', '/sso'];
    for (const path of pages) {
      const { bytes } = await exchange(service.url, `/account${path}`, {
        headers: { cookie: visitor.cookie, accept: 'text/html' },
      });
      told.push(bytes.toString());
    }
    const forms: [string, Record<string, string>][] = [
      ['/account/follows', { type: 'country', key: 'FR' }],
      ['/account/follows/remove', { type: 'country', key: 'FR' }],
      ['/account/alerts/new', { type: 'country', key: 'FR', metric: 'any_change', name: 'new', action: 'add' }],
      ['/account/notifications/mail', { on: '1' }],
      ['/account/notifications/mail', { on: '' }],
    ];
    for (const [path, fields] of forms) {
      await visitor.open('/account');
      told.push((await visitor.send(path, fields)).html);
    }
    return told.join('\n');
  }

  /** Every row of Bob, without what sending his notification and his visits change. */
  async function rowsOfBob(): Promise<string> {
    const rows: string[] = [];
    for (const { table, where } of await ownTables(owner)) {
      const found = await owner.query<{ row: string }[]>(
        `SELECT (to_jsonb(t) - '{last_used_at,next_attempt_at,attempts,state,finished_at,last_error,last_status}'::text[])::text AS row FROM ${table} t
         WHERE ${where} ORDER BY 1`,
        [bob?.accountId],
      );
      rows.push(...found.map(({ row }) => `${table} ${row}`));
    }
    return rows.join('\n');
  }

  it('shows and changes nothing of another account', async () => {
    const before = await rowsOfBob();
    expect(before).toContain(BOBS);
    isRecording = true;
    expect(await everything()).not.toContain(BOBS);
    isRecording = false;
    const statements = [...seen];
    expect(statements.length).toBeGreaterThan(12);
    const harmless: string[] = [];
    for (const sql of statements) {
      for (let at = 0; at < [...sql.matchAll(FILTER)].length; at += 1) {
        [mutation, mutated] = [{ sql, at }, 0];
        const told = await everything();
        mutation = null;
        expect({ sql, at, leaks: told.includes(BOBS) }).toEqual({ sql, at, leaks: false });
        expect({ sql, at, rows: await rowsOfBob() }).toEqual({ sql, at, rows: before });
        if (mutated === 0) harmless.push(sql);
      }
    }
    // Each mutation was really sent.
    expect(harmless).toEqual([]);
  });
});
