// The sentences of changes, of the service's own message files, compiled here once: through nestjs-i18n, which lives
// in the server's container, an import would take several times as long to write them.
import en from '../../locale/messages/en/changes.json' with { type: 'json' };
import ja from '../../locale/messages/ja/changes.json' with { type: 'json' };
import zh from '../../locale/messages/zh/changes.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../locale/templates.js';

export type ChangeTemplates = Compiled<typeof en>;

export const CHANGE_TEMPLATES = compileMessages({ en, zh, ja });
