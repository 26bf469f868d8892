import en from '../../../locale/messages/en/briefs.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/briefs.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/briefs.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../../locale/templates.js';

export type BriefTemplates = Compiled<typeof en>;

export const BRIEF_TEMPLATES = compileMessages({ en, zh, ja });
