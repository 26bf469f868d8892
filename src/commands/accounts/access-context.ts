import type { DataSource, EntityManager } from 'typeorm';
import { accountOf, asAccount } from '../../store/account-scope.js';
import { withDatabase, type CommandContext } from '../context/command-context.js';
import { noSuch } from '../../domain/errors/nearest.js';
import type { Access } from '../../serve/access/accounts/access.js';
import { AccessError, UnknownNameError } from '../../serve/access/accounts/access-error.js';
import { normalizeEmail } from '../../serve/access/accounts/email.js';
import type { Peppers } from '../../serve/access/keys/peppers.js';

/** What commands on accounts and keys need. */
export type AccessContext = CommandContext & { peppers(): Promise<Peppers> };

export async function withAccess<T>(context: AccessContext, work: (access: Access) => Promise<T>): Promise<T> {
  const { Access } = await import('../../serve/access/accounts/access.js');
  const peppers = await context.peppers();
  return withDatabase(context, 'account', (database) =>
    work(new Access(database, peppers, () => context.now())).catch(async (error: unknown) => {
      throw await withNearest(error, database);
    }),
  );
}

const NAMES = {
  account: 'SELECT email AS name FROM operator_accounts()',
  key: 'SELECT operator_key_ids() AS name',
  alert: 'SELECT operator_alert_ids() AS name',
} as const;
/** Addresses of one host are alike in half of their characters. */
const MOST_EDITS = 3;

/** The error, with the nearest names if a name is unknown that the role of `database` may read. */
export async function withNearest(error: unknown, database: DataSource): Promise<unknown> {
  if (!(error instanceof UnknownNameError)) return error;
  const { what, named, refusal } = error;
  const rows = await database.query<{ name: string }[]>(NAMES[what]);
  const known = rows.map(({ name }) => name);
  return new AccessError(noSuch(what, named, known, MOST_EDITS), refusal);
}

/**
 * Runs `work` in the scope of the account of an address.
 * @throws AccessError with the nearest addresses if there is none
 */
export async function withAccount<T>(
  database: DataSource,
  email: string,
  work: (manager: EntityManager, id: string) => Promise<T>,
): Promise<T> {
  const id = await accountOf(database, 'email', normalizeEmail(email));
  if (id === null) throw await withNearest(new UnknownNameError('account', email), database);
  return asAccount(database, id, (manager) => work(manager, id));
}
