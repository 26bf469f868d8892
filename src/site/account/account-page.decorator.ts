import { applyDecorators, UseFilters, UseGuards } from '@nestjs/common';
import { SitePage } from '../site-page.decorator.js';
import { AccountGuard } from './account.guard.js';
import { RefusalFilter } from './refusal.filter.js';

/** A controller of the account page: its forms come from our own pages, and it knows who is signed in. */
export const AccountPage = () =>
  applyDecorators(SitePage(), UseGuards(AccountGuard), UseFilters(RefusalFilter));
