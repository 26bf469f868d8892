import { Controller, Get, Post } from '@nestjs/common';
import { type NewKey, Access } from '../../serve/access/accounts/access.js';
import { isLive, unknownKey } from '../../serve/access/keys/key-rules.js';
import { newId } from '../../serve/access/accounts/new-id.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { AccountExchange, Exchange } from './account-exchange.js';

const DAY_MS = 24 * 3_600_000;
/** Choices of the forms; any other value counts as the first. */
const EXPIRY_DAYS = ['never', '30', '90', '365'] as const;
const GRACE_HOURS = ['1', '24', '168', '0'] as const;

@AccountPage()
@Controller('account/keys')
export class KeysController {
  constructor(private readonly access: Access) {}

  @Get('new')
  form(@Exchange() page: AccountExchange): void {
    page.show('account-key-new', formModel(page));
  }

  @Post('new')
  @OnRefusal('account-key-new', (_, page) => formModel(page))
  async create(@Exchange() page: AccountExchange): Promise<void> {
    const days = chosen(EXPIRY_DAYS, page.field('expiry'));
    const expiresAt = days === 'never' ? null : new Date(page.now.getTime() + Number(days) * DAY_MS);
    const access = this.access.as(page.actor);
    showOnce(page, await access.createKey(page.owner.email, page.field('name'), expiresAt, newKeyIdOf(page)));
  }

  @Get('one')
  async one(@Exchange() page: AccountExchange): Promise<void> {
    const key = await this.find(page, page.parameter('id'));
    page.show('account-key', { key, choices: GRACE_HOURS, newKeyId: newId('key') });
  }

  @Post('rotate')
  async rotate(@Exchange() page: AccountExchange): Promise<void> {
    const graceMs = Number(chosen(GRACE_HOURS, page.field('grace'))) * 3_600_000;
    const { id } = await this.find(page, page.field('id'));
    const access = this.access.as(page.actor);
    showOnce(page, await access.rotateKey(page.owner.email, id, graceMs, newKeyIdOf(page)));
  }

  @Post('revoke')
  async revoke(@Exchange() page: AccountExchange): Promise<void> {
    const { id } = await this.find(page, page.field('id'));
    await this.access.as(page.actor).revokeKey(id);
    page.lead('/account');
  }

  /** Searches the owner's keys only. */
  private async find(page: AccountExchange, id: string) {
    const keys = await this.access.listKeys(page.owner.email);
    const key = keys.find((one) => one.id === id && one.reads === null && isLive(one, page.now));
    if (key === undefined) throw unknownKey('that was sent');
    return key;
  }
}

const formModel = (page: AccountExchange) => ({
  name: page.field('name'),
  choices: EXPIRY_DAYS,
  newKeyId: newId('key'),
});

/** Shows the key in the response to the form only: a reload submits the form again, which is refused. */
function showOnce(page: AccountExchange, { text }: NewKey): void {
  page.show('account-key-made', { text, script: 'copy.js', snippets: keySnippets(page.baseUrl, text) });
}

/** The id that the form reserved for its key: a second submission creates no second key. */
export function newKeyIdOf(page: AccountExchange): string {
  const sent = page.field('new_key_id');
  return /^key_[\w-]{16}$/.test(sent) ? sent : newId('key');
}

function chosen<const Choice extends string>(choices: readonly [Choice, ...Choice[]], sent: string): Choice {
  return choices.find((choice) => choice === sent) ?? choices[0];
}

/** Client configurations that contain the new key, ready to paste. */
function keySnippets(baseUrl: string, key: string) {
  const endpoint = `${baseUrl}/api/v1/mcp`;
  const headers = { Authorization: `Bearer ${key}` };
  return {
    curl: `curl -H "Authorization: Bearer ${key}" "${baseUrl}/api/v1/changes?limit=3"`,
    assistants: [
      `claude mcp add --transport http tidemark ${endpoint} --header "Authorization: Bearer ${key}"`,
      JSON.stringify({ mcpServers: { tidemark: { url: endpoint, headers } } }, null, 2),
    ],
  };
}
