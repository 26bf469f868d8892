import { Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import type { NewKey } from '../../serve/access/accounts/access.js';
import { Access } from '../../serve/access/accounts/access.js';
import { isLive, unknownKey } from '../../serve/access/keys/key-rules.js';
import { newId } from '../../serve/access/accounts/new-id.js';
import { AccountPage } from './account-page.decorator.js';
import { AccountPages } from './account-pages.service.js';
import { field, type AccountRequest } from './account-request.js';
import { keySnippets } from './key-snippets.js';
import { OwnerGuard, sessionOf } from './owner.guard.js';

const DAY_MS = 24 * 3_600_000;
/** Choices of the forms; any other value counts as the first. */
const EXPIRY_DAYS = ['never', '30', '90', '365'] as const;
const GRACE_HOURS = ['1', '24', '168', '0'] as const;

@UseGuards(OwnerGuard)
@AccountPage()
@Controller('account/keys')
export class KeysController {
  constructor(
    private readonly access: Access,
    private readonly pages: AccountPages,
  ) {}

  @Get('new')
  form(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-key-new', {
      ...{ name: '', choices: EXPIRY_DAYS, newKeyId: newId('key') },
    });
  }

  @Post('new')
  async create(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const name = field(request, 'name');
    const days = chosen(EXPIRY_DAYS, field(request, 'expiry'));
    const { receivedAt } = request.context;
    const expiresAt = days === 'never' ? null : new Date(receivedAt.getTime() + Number(days) * DAY_MS);
    const newKeyId = newKeyIdOf(request);
    try {
      const made = await this.owned(request).createKey(sessionOf(request).email, name, expiresAt, newKeyId);
      this.showOnce(request, response, made);
    } catch (error) {
      this.pages.refuse(request, response, 'account-key-new', error, {
        ...{ name, choices: EXPIRY_DAYS, newKeyId: newId('key') },
      });
    }
  }

  @Get('one')
  async one(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const key = await this.find(request, request.context.query['id']);
    this.pages.show(request, response, 'account-key', {
      ...{ key, choices: GRACE_HOURS, newKeyId: newId('key') },
    });
  }

  @Post('rotate')
  async rotate(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const hours = Number(chosen(GRACE_HOURS, field(request, 'grace')));
    const { id } = await this.find(request, field(request, 'id'));
    const { email } = sessionOf(request);
    const made = await this.owned(request).rotateKey(email, id, hours * 3_600_000, newKeyIdOf(request));
    this.showOnce(request, response, made);
  }

  @Post('revoke')
  async revoke(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { id } = await this.find(request, field(request, 'id'));
    await this.owned(request).revokeKey(id);
    this.pages.lead(request, response, '/account');
  }

  /** Shows the key in the response to the form only: a reload submits the form again, which is refused. */
  private showOnce(request: AccountRequest, response: Response, { text }: NewKey): void {
    this.pages.show(request, response, 'account-key-made', {
      ...{ text, script: 'copy.js' },
      snippets: keySnippets(this.pages.baseUrl, text),
    });
  }

  /** Searches the owner's keys only. */
  private async find(request: AccountRequest, id: unknown) {
    const keys = await this.access.listKeys(sessionOf(request).email);
    const key = keys.find((one) => one.id === id && isLive(one, request.context.receivedAt));
    if (key === undefined) throw unknownKey('that was sent');
    return key;
  }

  private owned({ shortAddress }: AccountRequest): Access {
    return this.access.as({ kind: 'owner', address: shortAddress });
  }
}

/** The id that the form reserved for its key: a second submission creates no second key. */
function newKeyIdOf(request: AccountRequest): string {
  const sent = field(request, 'new_key_id');
  return /^key_[\w-]{16}$/.test(sent) ? sent : newId('key');
}

function chosen<const Choice extends string>(choices: readonly [Choice, ...Choice[]], sent: string): Choice {
  return choices.find((choice) => choice === sent) ?? choices[0];
}
