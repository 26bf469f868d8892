import { withDatabase, type CommandContext } from '../process/command-context.js';
import type { Access } from './access.js';
import type { Peppers } from './peppers.js';

/** What commands on accounts and keys need. */
export type AccessContext = CommandContext & { peppers(): Promise<Peppers> };

export async function withAccess<T>(
  context: AccessContext,
  work: (access: Access) => Promise<T>,
): Promise<T> {
  const { Access } = await import('./access.js');
  const peppers = await context.peppers();
  return withDatabase(context, 'account', (database) =>
    work(new Access(database, peppers, () => context.now())),
  );
}
