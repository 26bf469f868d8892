import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import path from 'node:path';
import { driveAccounts } from '../browser/account.mjs';
import { root, runCommand } from './command.mjs';
import { startService } from './service.mjs';

/** `SHOTS=folder` keeps a picture of each page in both colour schemes. */
export const check = {
  name: 'account',
  verifies:
    'The account page in Chromium, from the sign-up to a key and its revocation: with and without JavaScript, at 320 px, by keyboard; axe finds nothing',
  needsService: false,
  async run() {
    await import('../../scripts/typescript.mjs');
    const { openMailbox } = await import('../support/mailbox.ts');
    const mailbox = await openMailbox();
    const service = await startService({
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'service@tidemark.example',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      const result = await driveAccounts({
        url: service.url,
        countTools,
        upgrade: upgradeIn(service.dataDir),
        shots: process.env.SHOTS,
        linkTo: (email) => Promise.resolve(linkIn(mailbox.newest(), email)),
      });
      if (result === null) return { skipped: 'no Chromium found: set CHROMIUM, or install the package chromium' };
      return { found: result.wrong, said: `${result.pages} pages in four runs and three languages` };
    } finally {
      await service.stop();
      await mailbox.close();
    }
  },
};

function linkIn({ to, text }, email) {
  const [link] = /http:\S+/.exec(text) ?? [];
  if (to !== email || link === undefined) throw new Error(`No mail with a link went to ${email}`);
  return link;
}

const upgradeIn = (dataDir) => async (email) => {
  const command = ['accounts', 'set-plan', '--account', email, '--plan', 'developer'];
  const given = { environment: { DATA_DIR: dataDir } };
  const { status, errors } = await runCommand(process.execPath, [path.join(root, 'dist/cli.js'), ...command], given);
  if (status !== 0) throw new Error(`The plan did not change: ${errors}`);
};

async function countTools(url, key) {
  const client = new Client({ name: 'account-check', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/v1/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  await client.callTool({ name: 'latest_changes', arguments: {} });
  await client.close();
  return tools.length;
}
