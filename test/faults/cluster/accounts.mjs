// Accounts and keys by the project's own rules, in the database directly: the command line makes one at a time.
import { built } from '../../../bench/workspace.mjs';

const AT_ONCE = 4;

/** @param {{ id: string, value: string }} pepper */
export async function openAccess(defer, url, pepper) {
  const [{ Access }, { Account }, { ApiKey }, { Peppers }, { createDataSource }] = await Promise.all(
    [
      'access/access.js',
      'access/account.entity.js',
      'access/api-key.entity.js',
      'access/peppers.js',
      'database/data-source.js',
    ].map(built),
  );
  const settings = { size: AT_ONCE, statementTimeout: 0, applicationName: 'harness' };
  const database = createDataSource({ connectionString: url, role: null }, settings, [Account, ApiKey]);
  await database.initialize();
  // A database that is killed under it must not end the one who drives.
  database.driver.master.on('error', () => undefined);
  defer(() => database.destroy());
  const access = new Access(database, new Peppers([pepper]), () => new Date());
  let made = 0;
  /** An account with one key. @returns {Promise<{ text: string, accountId: string, email: string }>} */
  const account = async (plan) => {
    made += 1;
    const email = `account-${made}@cluster.example`;
    const { id } = await access.createAccount({ email, plan, signedUpAt: new Date(0) });
    return { text: (await access.createKey(email, 'harness')).text, accountId: id, email };
  };
  const accounts = async (count, plan) => {
    const keys = [];
    while (keys.length < count) {
      const more = Math.min(AT_ONCE, count - keys.length);
      keys.push(...(await Promise.all(Array.from({ length: more }, () => account(plan)))));
    }
    return keys;
  };
  return { access, accounts };
}
