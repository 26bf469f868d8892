import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { isOrphaned } from '../../store/account-scope.js';
import { AccessError, type Refusal } from '../../serve/access/accounts/access-error.js';
import type { AccountModel, AccountRequest } from './account-exchange.js';
import { AccountPages } from './account-pages.service.js';

/** A refused form, with what shows it again. */
export class RefusedForm extends AccessError {
  constructor(
    message: string,
    refusal: Refusal,
    readonly view: string,
    readonly model: AccountModel,
  ) {
    super(message, refusal);
  }
}

/**
 * Shows a refused form again, or a page with the reason; redirects a visitor without a session to the sign-in, and one
 * whose account another form has deleted meanwhile.
 */
@Catch(AccessError, QueryFailedError)
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly pages: AccountPages) {}

  catch(error: AccessError | QueryFailedError, host: ArgumentsHost): void {
    const { exchange } = host.switchToHttp().getRequest<AccountRequest>();
    if (error instanceof QueryFailedError) {
      if (!isOrphaned(error)) throw error;
      exchange.lead('/account/sign-in');
    } else if (error.refusal === null) throw error;
    else if (error.refusal.code === 'sign_in_first') exchange.lead('/account/sign-in');
    else if (error instanceof RefusedForm) this.pages.refuse(exchange, error.refusal, error.view, error.model);
    else this.pages.refuse(exchange, error.refusal, 'account-refused', { path: '/account', isKept: true });
  }
}
