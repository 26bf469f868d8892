// `node docker/make-secrets.mjs [folder]`: creates the files that compose.yaml mounts as secrets, with new random
// values. It never overwrites a file, because the database keeps its old password. Everyone may read the files, but
// only the owner may enter their folder: a container reads a mounted file as its own user, and no other user of the
// host reaches it. The owner may also write, because peppers and access codes change.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = process.argv[2] ?? path.join(import.meta.dirname, 'secrets');
const secret = () => randomBytes(24).toString('hex');

const [owner, publisher, web, accounts, redis] = [secret(), secret(), secret(), secret(), secret()];
const database = (login, password) => `postgres://tidemark_${login}:${password}@postgres:5432/tidemark`;
const lines = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

const files = {
  postgres_password: secret(),
  owner_password: owner,
  publisher_password: publisher,
  web_password: web,
  accounts_password: accounts,
  'api.env': lines({
    DATABASE_URL: database('web', web),
    DATABASE_ACCOUNT_URL: database('accounts', accounts),
    REDIS_URL: `redis://:${redis}@redis:6379`,
    KEY_PEPPER: `p1:${secret()}`,
    // Of the operator's mail server, with its login: smtps://user:password@mail.example.com. Empty means no mail.
    SMTP_URL: '',
  }),
  'admin.env': lines({ DATABASE_URL: database('owner', owner), DATABASE_ADMIN_URL: database('owner', owner) }),
  'import.env': lines({
    DATABASE_URL: database('publisher', publisher),
    DATABASE_IMPORT_URL: database('publisher', publisher),
    // The operator's own access codes, for publishers with `--live`; empty means none.
    EIA_API_KEY: '',
    ESTAT_APP_ID: '',
  }),
  'redis.conf': [
    `requirepass ${redis}`,
    'save ""',
    'appendonly no',
    'maxmemory 192mb',
    // An evicted count would admit more than the plan allows.
    'maxmemory-policy noeviction',
    '',
  ].join('\n'),
};

const there = Object.keys(files).filter((name) => existsSync(path.join(folder, name)));
if (there.length > 0) {
  console.error(`${folder} holds ${there.join(', ')} already: nothing was written`);
  process.exit(1);
}
mkdirSync(folder, { recursive: true, mode: 0o700 });
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  writeFileSync(file, text, { flag: 'wx' });
  // Independent of the umask: a container could not read the file otherwise.
  chmodSync(file, 0o644);
}
console.log(`Wrote ${Object.keys(files).join(', ')} to ${folder}`);
