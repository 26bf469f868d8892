import { built, within } from '../../bench/workspace.mjs';
import { openAccess } from '../support/accounts.mjs';

/** One key of each of this many accounts on the largest plan, in a running service's database. */
export async function makeKeys(dataDir, count) {
  const { readConfig } = await built('domain/config/config.js');
  const { openConnections } = await built('store/connections.js');
  const { loadPeppers } = await built('serve/access/keys/peppers.js');
  const config = readConfig({ DATA_DIR: dataDir });
  const connections = await openConnections(config);
  try {
    return await within(
      () => undefined,
      async (defer) => {
        const peppers = await loadPeppers(config);
        const { accounts } = await openAccess(defer, connections.to('account'), peppers, 'attack');
        return (await accounts(count, 'developer')).map(({ text }) => text);
      },
    );
  } finally {
    await connections.release();
  }
}
