import { openEventLedger } from './events/event-ledger.js';
import type { OpenLedger } from './ledger.js';
import { openRegisterLedger } from './register/register-ledger.js';

/** Every kind of content beside figures. Later ones may refer to what earlier ones and the figures have stored. */
export const LEDGERS: readonly OpenLedger[] = [openRegisterLedger, openEventLedger];
