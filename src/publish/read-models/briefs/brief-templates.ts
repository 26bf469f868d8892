import en from '../../../domain/locale/messages/en/briefs.json' with { type: 'json' };
import ja from '../../../domain/locale/messages/ja/briefs.json' with { type: 'json' };
import zh from '../../../domain/locale/messages/zh/briefs.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../../domain/locale/templates.js';

export type BriefTemplates = Compiled<typeof en>;

export const BRIEF_TEMPLATES = compileMessages({ en, zh, ja });
