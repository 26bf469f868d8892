// Compiles the sentences of changes from the service's message files, once. nestjs-i18n needs the server's container,
// and an import that used it would write the sentences several times as slowly.
import { isExchangeRate, type UnitCode } from '../../domain/figures/units.js';
import type { Wording } from '../../domain/figures/wording.js';
import type { Locale } from '../../domain/locale/locale.js';
import en from '../../domain/locale/messages/en/changes.json' with { type: 'json' };
import ja from '../../domain/locale/messages/ja/changes.json' with { type: 'json' };
import zh from '../../domain/locale/messages/zh/changes.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../domain/locale/templates.js';

export type ChangeTemplates = Compiled<typeof en>;

export const CHANGE_TEMPLATES = compileMessages({ en, zh, ja });

/** A publisher's median of a group's economies is no rate of the group, and says so. */
export const measured = (
  locale: Locale,
  { aggregate, wording }: { readonly aggregate?: boolean | undefined; readonly wording: Wording },
  name: string,
): string =>
  aggregate === true && wording.median === true ? CHANGE_TEMPLATES[locale].median({ name }) : name;

/** A yearly exchange rate is an average; the texts of a release say so themselves. */
export const averaged = (locale: Locale, kind: string, unit: UnitCode, name: string): string =>
  kind === 'revision' && isExchangeRate(unit) ? CHANGE_TEMPLATES[locale].revision.average({ name }) : name;
