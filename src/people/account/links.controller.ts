import { Controller, Get, Post } from '@nestjs/common';
import { ApiError } from '../../domain/errors/api-error.js';
import { Access } from '../../serve/access/accounts/access.js';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import type { ApiKey } from '../../serve/access/keys/api-key.entity.js';
import { isLive } from '../../serve/access/keys/key-rules.js';
import { newId } from '../../serve/access/accounts/new-id.js';
import { listKeyUses } from '../../serve/access/keys/key-uses.js';
import { FileTables } from '../pages/file-tables.service.js';
import { tablePathOf } from '../views/table-path.js';
import { AccountDatabase } from './account-database.js';
import { AccountExchange, Exchange, type AccountModel } from './account-exchange.js';
import { AccountPage, OnRefusal } from './account-page.decorator.js';
import { newKeyIdOf } from './keys.controller.js';

const VIEW = 'account-links';

/** The owner's file links: one table each, for spreadsheets and programs that send no key. */
@AccountPage()
@Controller('account/links')
export class LinksController {
  constructor(
    private readonly access: Access,
    private readonly database: AccountDatabase,
    private readonly tables: FileTables,
  ) {}

  @Get()
  async list(@Exchange() page: AccountExchange): Promise<void> {
    page.show(VIEW, await this.model(page, page.parameter('table')));
  }

  @Post()
  @OnRefusal<LinksController>(VIEW, (self, page) => self.model(page, page.field('table')))
  async create(@Exchange() page: AccountExchange): Promise<void> {
    const reads = tablePathOf(page.field('table').trim(), page.locale);
    await this.refuseUnknown(page, reads);
    const { text } = await this.access
      .as(page.actor)
      .createKey(page.owner.email, nameOf(reads ?? ''), null, newKeyIdOf(page), reads);
    const address = `${page.baseUrl}/files/${text}`;
    page.show('account-link-made', {
      path: '/account/links',
      script: 'copy.js',
      address,
      snippets: snippetsOf(address),
    });
  }

  @Post('revoke')
  async revoke(@Exchange() page: AccountExchange): Promise<void> {
    const found = (await this.live(page)).find(({ id }) => id === page.field('id'));
    if (found !== undefined) await this.access.as(page.actor).revokeKey(found.id);
    page.lead('/account/links');
  }

  /** Makes the file once, so that no link leads nowhere. */
  private async refuseUnknown(page: AccountExchange, reads: string | null): Promise<void> {
    const unknown = new AccessError('There is no such table', { code: 'table_unknown' });
    if (reads === null) throw unknown;
    await this.tables.find(page.request, reads, 'csv').catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'not_found' ? unknown : error;
    });
  }

  private async live(page: AccountExchange): Promise<(ApiKey & { readonly reads: string })[]> {
    const keys = await this.access.listKeys(page.owner.email);
    return keys.filter(
      (key): key is ApiKey & { readonly reads: string } => key.reads !== null && isLive(key, page.now),
    );
  }

  private async model(page: AccountExchange, table: string): Promise<AccountModel> {
    const [links, uses] = await Promise.all([this.live(page), listKeyUses(this.database.source, page.owner.accountId)]);
    return {
      path: '/account/links',
      table,
      links,
      newKeyId: newId('key'),
      lastUseOf: (id: string) => uses.find(({ keyId }) => keyId === id) ?? null,
    };
  }
}

/** What tells links apart in the list and in the audit: the page, without its language. */
const nameOf = (reads: string): string => reads.replace(/[?&]locale=\w+$/, '').slice(0, 100);

/** One line for each program, by its name. */
const snippetsOf = (address: string): readonly (readonly [program: string, line: string])[] => [
  ['Google Sheets', `=IMPORTDATA("${address}.csv")`],
  ['Excel (Power Query)', `= Csv.Document(Web.Contents("${address}.csv"), [Encoding = 65001])`],
  ['Python (pandas)', `pandas.read_csv("${address}.csv")`],
  ['R', `read.csv("${address}.csv")`],
  ['DuckDB', `SELECT * FROM read_csv('${address}.csv');`],
];
