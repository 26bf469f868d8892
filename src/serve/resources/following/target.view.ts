import type { ItemLinks, UrlBuilder } from '../../responses/url-builder.service.js';
import type { TargetKey } from '../../following/targets.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import type { Texts } from '../../../domain/locale/texts.service.js';
import type { Target } from './target.schema.js';

/** A target with the columns of `named`; names are null if the target no longer exists or is withheld. */
export interface TargetRow extends TargetKey {
  readonly name: Localized | string | null;
  readonly region: Localized | null;
}

/** Maps a target row to the API's target. */
export class TargetView {
  constructor(
    private readonly urls: UrlBuilder,
    private readonly texts: Texts,
  ) {}

  show({ type, key, name, region }: TargetRow, locale: Locale): Target {
    return { type, key, name: this.nameOf(name, region, key, locale), ...this.linksOf({ type, key }, locale) };
  }

  private nameOf(name: TargetRow['name'], region: Localized | null, key: string, locale: Locale): string {
    if (name === null) return key;
    if (typeof name === 'string') return name;
    if (region === null) return name[locale];
    return this.texts.say(locale, 'resources.series', { indicator: name[locale], region: region[locale] });
  }

  private linksOf({ type, key }: TargetKey, locale: Locale): ItemLinks {
    const [indicator = '', region = ''] = key.split('@');
    switch (type) {
      case 'topic':
        return this.urls.links(locale, ['topics', key]);
      case 'coverage':
        return this.urls.links(locale, ['coverage', key]);
      case 'country':
        return this.urls.links(locale, ['changes'], { country: key });
      case 'company':
        return this.urls.links(locale, ['companies', key]);
      case 'entity':
        return this.urls.links(locale, ['entities', key, 'structure']);
      case 'instrument':
        return this.urls.links(locale, ['markets', key]);
      case 'indicator':
        return this.urls.links(locale, ['macro', key]);
      case 'series':
        return this.urls.links(locale, ['macro', indicator], { region });
    }
  }
}
