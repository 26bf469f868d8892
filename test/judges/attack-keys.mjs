const built = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);

/** Keys of as many accounts on the widest plan, in a running service's own database. */
export async function makeKeys(dataDir, count) {
  const { readConfig } = await built('config/config.js');
  const { openConnections } = await built('database/connections.js');
  const { createDataSource } = await built('database/data-source.js');
  const { Access } = await built('access/access.js');
  const { Account } = await built('access/account.entity.js');
  const { ApiKey } = await built('access/api-key.entity.js');
  const { loadPeppers } = await built('access/peppers.js');

  const config = readConfig({ DATA_DIR: dataDir });
  const connections = await openConnections(config);
  const settings = { size: 2, statementTimeout: 10_000, applicationName: 'attack-keys' };
  const source = createDataSource(connections.to('api'), settings, [Account, ApiKey]);
  await source.initialize();
  try {
    const access = new Access(source, await loadPeppers(config), () => new Date());
    const keys = [];
    for (let number = 1; number <= count; number += 1) {
      const email = `attacker-${number}@test.example`;
      await access.createAccount({ email, plan: 'developer', signedUpAt: new Date('2020-01-01') });
      keys.push((await access.createKey(email, 'attack')).text);
    }
    return keys;
  } finally {
    await source.destroy();
    await connections.release();
  }
}
