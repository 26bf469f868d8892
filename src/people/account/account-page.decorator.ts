import { applyDecorators, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../serve/access/keys/public.decorator.js';
import { AccountGuard } from './account.guard.js';
import { RefusalFilter } from './refusal.filter.js';

/** Marks a controller of the account page: its guard accepts forms of our own pages only and reads the session. */
export const AccountPage = () =>
  applyDecorators(Public(), ApiExcludeController(), UseGuards(AccountGuard), UseFilters(RefusalFilter));
