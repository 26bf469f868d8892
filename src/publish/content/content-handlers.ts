import { openEventHandler } from './events/event-handler.js';
import type { OpenContentHandler } from './content-handler.js';
import { openRegisterHandler } from './register/register-handler.js';

/** All content handlers, in order: later ones may refer to rows that earlier ones stored. */
export const CONTENT_HANDLERS: readonly OpenContentHandler[] = [openRegisterHandler, openEventHandler];
