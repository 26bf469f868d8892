import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiscoveryService } from '@nestjs/core';
import { ACCOUNT_SCOPED } from '../../src/serve/access/keys/account-scoped.decorator.js';
import { routesOf, type Route } from '../../src/serve/http/routes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { addressOf, operationsOf, readDocument } from './document.js';

const RESOURCES = join(__dirname, '../../src/serve/resources');
/** Only code that reads account data contains this. */
const READS_OWN = /accountId|\bFROM (follows|alerts|alert_events)\b/;

describe('A route that reads an account’s own data', () => {
  let database: TestDatabase;
  let service: TestServer;
  let routes: Route[];
  let own: Set<string>;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    const discovery = service.server.app.get(DiscoveryService, { strict: false });
    routes = routesOf(discovery);
    own = new Set(
      discovery
        .getControllers()
        .filter(({ metatype }) => Reflect.getMetadata(ACCOUNT_SCOPED, metatype as object) === true)
        .map(({ metatype }) => metatype?.name ?? ''),
    );
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('has the mark, and no other route has it', () => {
    const folders = readdirSync(RESOURCES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const found = folders.map(({ name }) => {
      const files = readdirSync(join(RESOURCES, name)).map((file) => readFileSync(join(RESOURCES, name, file), 'utf8'));
      const controllers = files.flatMap((text) => /class (\w+Controller)\b/.exec(text)?.[1] ?? []);
      return { name, controllers, reads: files.some((text) => READS_OWN.test(text)) };
    });
    for (const { name, controllers, reads } of found) {
      for (const controller of controllers) {
        expect({ name, controller, own: own.has(controller) }).toEqual({ name, controller, own: reads });
      }
    }
    expect([...own].sort()).toEqual(['AlertsController', 'FollowingController']);
  });

  it('forbids every cache, while other responses may be cached for a moment', async () => {
    const marked = new Set(routes.filter(({ controller }) => own.has(controller)).map(({ path }) => path));
    for (const documented of operationsOf(await readDocument(service))) {
      const address = addressOf(documented);
      const { headers, status } = await service.get(address);
      if (status !== 200) continue;
      const expected = marked.has(documented.path) ? 'no-store' : 'private, max-age=30';
      expect({ address, kept: headers.get('cache-control') }).toEqual({ address, kept: expected });
    }
  });
});
