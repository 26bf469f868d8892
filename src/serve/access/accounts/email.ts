import { domainToASCII } from 'node:url';
import { oneLine } from '../../../domain/names/one-line.js';
import { AccessError } from './access-error.js';

/**
 * The one spelling of a mailbox: NFKC and lower case, with the domain as DNS writes it (IDNA), so that an account has
 * one address however its domain is typed. A part after `+` stays, because only the provider knows whether it names
 * another mailbox. The result of an invalid address names no account.
 */
export function normalizeEmail(text: string): string {
  const address = text.trim().normalize('NFKC').toLowerCase().normalize('NFKC');
  const domainAt = address.lastIndexOf('@') + 1;
  return address.slice(0, domainAt) + domainToASCII(address.slice(domainAt)).replace(/\.$/, '');
}

/**
 * Normalises an e-mail address for storage.
 * @throws AccessError if it is invalid
 */
export function readEmail(text: string): string {
  const address = normalizeEmail(text);
  if (
    !/^[^\s@<>"(),:;[\]\\]+@[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(address) ||
    address.length > 254 ||
    oneLine(address) !== address
  ) {
    throw new AccessError(`'${text}' is not an e-mail address`, { code: 'email_invalid' });
  }
  return address;
}
