// Compiles the sentences of changes from the service's message files, once. nestjs-i18n needs the server's container,
// and an import that used it would write the sentences several times as slowly.
import en from '../../locale/messages/en/changes.json' with { type: 'json' };
import ja from '../../locale/messages/ja/changes.json' with { type: 'json' };
import zh from '../../locale/messages/zh/changes.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../locale/templates.js';

export type ChangeTemplates = Compiled<typeof en>;

export const CHANGE_TEMPLATES = compileMessages({ en, zh, ja });
