import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { z } from 'zod';
import { PUBLIC } from '../../src/serve/access/keys/public.decorator.js';
import { routesOf, type Route } from '../../src/serve/http/routes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { addressOf, operationsOf, readDocument, type Document, type Documented } from './document.js';

/** One parameter of a handler in the framework's metadata: `4:0` is the first `@Query`. */
interface Argument {
  readonly index: number;
  readonly data?: string | { readonly schema?: unknown };
  readonly schema?: unknown;
}

const QUERY = '4';
const PARAM = '5';

describe('Every route under /api/v1', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;
  let routes: Route[];
  let controllers: Map<string, object>;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    document = await readDocument(service);
    const discovery = service.server.app.get(DiscoveryService, { strict: false });
    routes = routesOf(discovery);
    controllers = new Map(discovery.getControllers().map(({ metatype }) => [metatype?.name ?? '', metatype as object]));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('is in the list of controllers', () => {
    expect(routes.length).toBeGreaterThanOrEqual(8);
  });

  it('requires a key, except the pages for people', () => {
    const open = [...controllers].filter(([, type]) => Reflect.getMetadata(PUBLIC, type) === true);
    expect(open.map(([name]) => name)).toEqual([
      'HomeController',
      'SiteFilesController',
      'HomePageController',
      'ChangePageController',
      'SignalPageController',
      'BriefPageController',
      'SeriesPageController',
      'MarketPageController',
      'CompanyPageController',
      'CalendarPageController',
      'CountryPageController',
      'IndicatorPageController',
      'TopicPageController',
      'SourcesPageController',
      'FileLinkController',
      'AccountController',
      'KeysController',
      'SignInController',
      'SignUpController',
      'FollowsController',
      'AccountAlertsController',
      'NotificationsController',
      'SingleSignOnController',
      'LinksController',
    ]);
  });

  it('responds with 401 without a key, as every other path there does', async () => {
    const unknown = ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/changes/x/y'];
    for (const address of [...operationsOf(document).map((one) => addressOf(one)), ...unknown]) {
      const { status, body } = await service.get(address, null);
      expect({ address, status, code: body.error?.code }).toEqual({ address, status: 401, code: 'missing_key' });
    }
  });

  it('costs one request of the account', async () => {
    const key = await service.key();
    const left: number[] = [];
    for (const documented of operationsOf(document)) {
      const { headers } = await service.get(addressOf(documented), key);
      left.push(Number(headers.get('x-ratelimit-remaining-minute')));
    }
    expect(left).toEqual(left.map((_, index) => 119 - index));
  });

  it('validates its query before its path, each by one schema', () => {
    for (const { controller, handler, path } of routes) {
      const given = argumentsOf(controllers.get(controller), handler);
      const queries = given.filter(({ kind }) => kind === QUERY);
      const params = given.filter(({ kind }) => kind === PARAM);
      expect({ path, queries: queries.length }).toEqual({ path, queries: 1 });
      expect({ path, params: params.length }).toEqual({ path, params: (path.match(/:/g) ?? []).length });
      for (const { schema } of [...queries, ...params]) expect(schema).toBeInstanceOf(z.ZodType);
      for (const { index } of params) expect(index).toBeGreaterThan(queries[0]?.index ?? Infinity);
    }
  });

  it('refuses an unknown parameter', async () => {
    for (const documented of operationsOf(document)) {
      const address = addressOf(documented, { locle: 'ja' });
      const { status, body } = await service.get(address);
      expect({ address, status }).toEqual({ address, status: 400 });
      expect(body.error?.errors).toEqual([
        expect.objectContaining({ parameter: 'locle', allowed: expect.arrayContaining(['locale']) as string[] }),
      ]);
    }
  });

  it('is in the OpenAPI document with the parameters that it validates, and no other route is', () => {
    const documented = operationsOf(document);
    expect(documented.map(({ path }) => path).sort()).toEqual(routes.map(templateOf).sort());
    for (const route of routes) {
      const given = argumentsOf(controllers.get(route.controller), route.handler);
      const query = given.find(({ kind }) => kind === QUERY)?.schema as z.ZodObject;
      expect({ path: route.path, names: named(documented, route, 'query') }).toEqual({
        path: route.path,
        names: Object.keys(query.shape),
      });
      expect(named(documented, route, 'path').map((name) => `:${name}`)).toEqual(route.path.match(/:\w+/g) ?? []);
    }
  });
});

function argumentsOf(controller: object | undefined, handler: string) {
  const metadata = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller ?? {}, handler) as Record<string, Argument>;
  return Object.entries(metadata).map(([place, { index, data, schema }]) => ({
    kind: place.split(':')[0],
    index,
    schema: schema ?? (typeof data === 'object' ? data.schema : undefined),
  }));
}

function templateOf({ path }: Route): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function named(documented: readonly Documented[], route: Route, place: 'query' | 'path'): string[] {
  const found = documented.find(({ path }) => path === templateOf(route));
  return (found?.operation.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);
}
