import type { UrlBuilder } from '../../responses/url-builder.service.js';
import type { TargetKey } from '../../following/targets.js';
import type { Locale, Localized } from '../../locale/locale.js';
import type { Texts } from '../../locale/texts.service.js';
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
        return this.urls.of('topics', key);
      case 'coverage':
        return this.urls.of('coverage', key);
      case 'country':
        return `${this.urls.of('changes')}?country=${encodeURIComponent(key)}`;
      case 'company':
        return this.urls.of('companies', key);
      case 'entity':
        return this.urls.of('entities', key, 'structure');
      case 'instrument':
        return this.urls.of('markets', key);
      case 'indicator':
        return this.urls.of('macro', key);
      case 'series':
        return `${this.urls.of('macro', indicator)}?region=${encodeURIComponent(region)}`;
    }
  }
}
