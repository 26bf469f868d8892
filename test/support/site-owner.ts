import { Sessions } from '../../src/serve/access/sign-in/sessions.js';
import type { Plan } from '../../src/domain/plans/plans.js';
import type { TestDatabase } from './database.js';
import type { TestServer } from './server.js';
import { Visitor } from './visitor.js';

export interface SiteOwner {
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
  readonly visitor: Visitor;
}

/** An account that is signed in on the account page, with a key for the API. */
export async function siteOwner(
  service: TestServer,
  database: TestDatabase,
  name: string,
  { plan = 'developer', now = new Date() }: { readonly plan?: Plan; readonly now?: Date } = {},
): Promise<SiteOwner> {
  const email = `${name}@page.example`;
  const { id } = await service.access.createAccount({ email, plan, signedUpAt: new Date('2020-01-01') });
  const { text: key } = await service.access.createKey(email, 'page');
  const source = await database.open('admin');
  const client = { name: 'test', address: '127.0.0.x' };
  const token = await new Sessions(source, () => now).start(source.manager, id, client);
  const visitor = new Visitor(service.url);
  visitor.cookie = `tidemark-local=${token}`;
  await visitor.open('/account');
  return { accountId: id, email, key, visitor };
}
