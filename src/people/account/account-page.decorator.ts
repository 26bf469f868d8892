import { applyDecorators, UseFilters, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { Public } from '../../serve/access/keys/public.decorator.js';
import { AccountGuard } from './account.guard.js';
import { RefusalFilter, RefusedForm } from './refusal.filter.js';
import type { AccountExchange, AccountRequest, AccountModel } from './account-exchange.js';

/** Requires a session. */
class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<AccountRequest>().exchange.owner.accountId !== '';
  }
}

/**
 * Marks a controller of the account page: its guard accepts forms of our own pages only and reads the session.
 * @param reader `owner`: its pages require a session
 */
export const AccountPage = (reader: 'owner' | 'anybody' = 'owner') =>
  applyDecorators(
    Public(),
    ApiExcludeController(),
    UseGuards(AccountGuard, ...(reader === 'owner' ? [OwnerGuard] : [])),
    UseFilters(RefusalFilter),
  );

type Handler = (page: AccountExchange) => Promise<void>;

/**
 * Marks the handler of a form: a refusal shows `view` again with the reason, and with what `again` returns. Stands
 * below the decorator of the route.
 */
export const OnRefusal =
  <Controller>(
    view: string,
    again: (controller: Controller, page: AccountExchange) => AccountModel | Promise<AccountModel> = () => ({}),
  ) =>
  (_: Controller, _name: string, descriptor: TypedPropertyDescriptor<Handler>): void => {
    const handle = descriptor.value;
    descriptor.value = async function (this: Controller, page) {
      try {
        await handle?.call(this, page);
      } catch (error) {
        if (!(error instanceof AccessError) || error.refusal === null) throw error;
        throw new RefusedForm(error.message, error.refusal, view, await again(this, page));
      }
    };
  };
