import type { Locale } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/briefs.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/briefs.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/briefs.json' with { type: 'json' };
import { compileAll, type Compiled } from '../../derive/templates.js';

export type BriefTemplates = Compiled<typeof en>;

export const BRIEF_TEMPLATES: Readonly<Record<Locale, BriefTemplates>> = {
  en: compileAll(en),
  zh: compileAll(zh),
  ja: compileAll(ja),
};
