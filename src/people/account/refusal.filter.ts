import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { AccountPages } from './account-pages.service.js';
import type { AccountRequest } from './account-request.js';

/** Shows a page for a refusal that no form handles, and redirects a visitor without a session to the sign-in. */
@Catch(AccessError)
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly pages: AccountPages) {}

  catch(error: AccessError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<AccountRequest>();
    const response = http.getResponse<Response>();
    if (error.refusal?.code === 'sign_in_first') {
      this.pages.lead(request, response, '/account/sign-in');
      return;
    }
    this.pages.refuseUnread(request, response, error);
  }
}
