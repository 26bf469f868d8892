import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AccessError } from '../../access/access-error.js';
import type { AccountRequest } from './account-request.js';

/** Lets in who is signed in. It stands above `@AccountPage()`, whose guards go first. */
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
