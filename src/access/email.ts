import { oneLine } from '../names/one-line.js';
import { AccessError } from './access-error.js';

/**
 * Normalises an e-mail address for storage.
 * @throws AccessError if it is invalid
 */
export function readEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (
    !/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/.test(address) ||
    address.length > 254 ||
    oneLine(address) !== address
  ) {
    throw new AccessError(`'${text}' is not an e-mail address`, { code: 'email_invalid' });
  }
  return address;
}
