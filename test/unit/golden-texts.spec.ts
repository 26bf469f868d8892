import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, type Locale } from '../../src/domain/locale/locale.js';
import { brokenRules, isRespelled, TEXT_RULES } from '../support/text-rules.js';
import { briefsIn } from './golden-briefs.js';
import { serviceTexts } from './golden-service-texts.js';
import { GOLDEN_SIGNALS } from './golden-signals.js';
import { GOLDEN } from './golden-texts.js';

const file = (locale: Locale): string => join(__dirname, 'golden', `${locale}.txt`);

describe('The texts of changes', () => {
  it.each(LOCALES)('of %s equal the reviewed and committed ones', (locale) => {
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file(locale), GOLDEN[locale]);
    expect(GOLDEN[locale]).toBe(readFileSync(file(locale), 'utf8'));
  });

  it.each(LOCALES)('of %s follow the style sheet', (locale) => {
    const lines = GOLDEN[locale].split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.flatMap((line) => brokenRules(locale, line))).toEqual([]);
  });
});

const signals = (locale: Locale): string =>
  GOLDEN_SIGNALS.map(({ label, title, summary }) => `# ${label}\n${title[locale]}\n${summary[locale]}\n`).join('\n');

describe.each([
  ['signals', signals],
  ['service', serviceTexts],
  ['briefs', briefsIn],
])('The texts of %s', (name, render) => {
  it.each(LOCALES)('equal the reviewed and committed ones in %s', (locale) => {
    const committed = join(__dirname, 'golden', `${name}.${locale}.txt`);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(committed, render(locale));
    expect(render(locale)).toBe(readFileSync(committed, 'utf8'));
  });
});

describe('The texts of briefs', () => {
  it.each(LOCALES)('follow the style sheet in %s', (locale) => {
    const lines = briefsIn(locale)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.flatMap((line) => brokenRules(locale, line))).toEqual([]);
  });
});

describe('The texts of signals', () => {
  it.each(LOCALES)('follow the style sheet in %s', (locale) => {
    const lines = GOLDEN_SIGNALS.flatMap(({ title, summary }) => [title[locale], summary[locale]]);
    const whole = GOLDEN_SIGNALS.map(({ title, summary }) => `${title[locale]}\n${summary[locale]}`);
    expect(whole.filter(isRespelled)).toEqual([]);
    expect(lines.flatMap((line) => brokenRules(locale, line))).toEqual([]);
  });
});

describe('The rules of texts', () => {
  it.each(TEXT_RULES.map((rule) => [rule.name, rule] as const))('find %s', (name, { locales, wrong }) => {
    for (const locale of locales) expect(brokenRules(locale, wrong)).toContain(`${name}: ${wrong}`);
  });

  it('find a figure in two spellings', () => {
    expect(['to 11.5180\n11.518', '1.50% after 1.5 million'].map(isRespelled)).toEqual([true, false]);
  });

  it('find a bracket that is never closed', () => {
    expect(brokenRules('zh', '增长（1.6%')).toEqual(['an open bracket: 增长（1.6%']);
  });
});
