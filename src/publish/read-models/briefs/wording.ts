import type { Locale } from '../../../domain/locale/locale.js';
import { VOICES } from '../../../domain/locale/voice/voices.js';
import type { Style, MentionedFigure } from './mentioned-change.js';

/** Before the name of its figure: Japan's, US and, in a sentence about a countable noun, the US. */
export const ownerIn = (
  locale: Locale,
  style: Style,
  { region, regionName, economy, wording }: Pick<MentionedFigure, 'region' | 'regionName' | 'economy' | 'wording'>,
): string =>
  VOICES[locale].owner({
    code: region,
    name: regionName[locale],
    economy,
    definite: style === 'part' || (style === 'sentence' && wording.definite === true),
  });
