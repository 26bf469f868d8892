import { applyDecorators, UseFilters, UseGuards } from '@nestjs/common';
import { SitePage } from '../site-page.decorator.js';
import { AccountGuard } from './account.guard.js';
import { RefusalFilter } from './refusal.filter.js';

/** Marks a controller of the account page: its guard accepts forms of our own pages only and reads the session. */
export const AccountPage = () =>
  applyDecorators(SitePage('account_page'), UseGuards(AccountGuard), UseFilters(RefusalFilter));
