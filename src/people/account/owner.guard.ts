import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import type { AccountRequest } from './account-request.js';

/** Requires a session. Apply it above `@AccountPage()`, whose guards run first. */
@Injectable()
export class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    sessionOf(context.switchToHttp().getRequest<AccountRequest>());
    return true;
  }
}

/** @throws AccessError `sign_in_first` */
export function sessionOf({ signedIn }: AccountRequest) {
  if (signedIn === null) throw new AccessError('Nobody is signed in', { code: 'sign_in_first' });
  return signedIn;
}
