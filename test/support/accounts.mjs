// Accounts and keys by the project's own rules, directly in the database, because the command line creates one at a
// time.
import { built } from '../../bench/workspace.mjs';

const AT_ONCE = 4;

/**
 * @param {object} connection a connection of the service, with a login that may create accounts
 * @param {Peppers | { id: string, value: string }} pepper
 * @param {string} name in the e-mail addresses and the database's list of sessions
 */
export async function openAccess(defer, connection, pepper, name) {
  const [{ Access }, { ACCOUNT_TABLES }, { Peppers }, { createDataSource }] = await Promise.all(
    [
      'serve/access/accounts/access.js',
      'commands/context/account-tables.js',
      'serve/access/keys/peppers.js',
      'store/data-source.js',
    ].map(built),
  );
  const settings = { size: AT_ONCE, statementTimeout: 0, applicationName: name };
  const database = createDataSource(connection, settings, ACCOUNT_TABLES);
  await database.initialize();
  // A killed database must not end the test's process.
  database.driver.master.on('error', () => undefined);
  defer(() => database.destroy());
  const peppers = pepper instanceof Peppers ? pepper : new Peppers([pepper]);
  const access = new Access(database, peppers, () => new Date());
  let made = 0;
  /** An account with one key. @returns {Promise<{ text: string, accountId: string, email: string }>} */
  const account = async (plan) => {
    made += 1;
    const email = `account-${made}@${name}.example`;
    const { id } = await access.createAccount({ email, plan, signedUpAt: new Date(0) });
    return { text: (await access.createKey(email, name)).text, accountId: id, email };
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
