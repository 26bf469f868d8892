import type { Addresses } from '../answers/addresses.service.js';
import type { TargetKey } from '../following/targets.js';
import type { Locale, Localized } from '../locale/locale.js';
import type { Texts } from '../locale/texts.service.js';
import type { Target } from './targets.schema.js';

/** A target with what `named` says of it; names are null where it may not be seen (any more). */
export interface TargetRow extends TargetKey {
  readonly name: Localized | string | null;
  readonly region: Localized | null;
}

/** Makes of a target what its owner gets. */
export class TargetView {
  constructor(
    private readonly addresses: Addresses,
    private readonly texts: Texts,
  ) {}

  show({ type, key, name, region }: TargetRow, locale: Locale): Target {
    return { type, key, name: this.nameOf(name, region, key, locale), url: this.urlOf({ type, key }) };
  }

  private nameOf(name: TargetRow['name'], region: Localized | null, key: string, locale: Locale): string {
    if (name === null) return key;
    if (typeof name === 'string') return name;
    if (region === null) return name[locale];
    return this.texts.say(locale, 'resources.series', { indicator: name[locale], region: region[locale] });
  }

  urlOf({ type, key }: TargetKey): string {
    const [indicator = '', region = ''] = key.split('@');
    switch (type) {
      case 'topic':
        return this.addresses.of('topics', key);
      case 'coverage':
        return this.addresses.of('coverage', key);
      case 'country':
        return `${this.addresses.of('changes')}?country=${encodeURIComponent(key)}`;
      case 'company':
        return this.addresses.of('companies', key);
      case 'entity':
        return this.addresses.of('entities', key, 'structure');
      case 'instrument':
        return this.addresses.of('markets', key);
      case 'indicator':
        return this.addresses.of('macro', key);
      case 'series':
        return `${this.addresses.of('macro', indicator)}?region=${encodeURIComponent(region)}`;
    }
  }
}
