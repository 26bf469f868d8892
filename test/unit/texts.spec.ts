import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { LocaleModule } from '../../src/domain/locale/locale.module.js';
import { Texts } from '../../src/domain/locale/texts.service.js';
import { messageFiles, readMessages } from '../contract/messages.js';
import { TEMPLATE_SYNTAX } from '../support/hostile.js';

const PLACEHOLDER = /\{(\w+)\}/g;
/** Every message of every language, under its key for `say`. */
const MESSAGES = LOCALES.flatMap((locale) =>
  messageFiles(locale).flatMap((file) =>
    Object.entries(readMessages(locale, file)).map(([key, template]) => ({
      locale,
      key: `${file}.${key}`,
      template,
      names: [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
    })),
  ),
);

describe('Texts', () => {
  let module: INestApplicationContext;
  let texts: Texts;

  beforeAll(async () => {
    module = await NestFactory.createApplicationContext(LocaleModule, { logger: false });
    texts = module.get(Texts);
  });
  afterAll(() => module.close());

  it('insert every hostile text unchanged into every message, and never interpret it', () => {
    const asked = MESSAGES.filter(({ names }) => names.length > 0);
    expect(asked.length).toBeGreaterThan(300);
    const changed = asked.flatMap(({ locale, key, template, names }) =>
      TEMPLATE_SYNTAX.filter((value) => {
        const args = Object.fromEntries(names.map((name) => [name, value]));
        const text = template.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : value));
        return texts.say(locale, key, args) !== text.join('');
      }).map((value) => ({ locale, key, value })),
    );
    expect(changed).toEqual([]);
  });

  it('return a message without arguments unchanged', () => {
    for (const { locale, key, template, names } of MESSAGES) {
      if (names.length === 0) expect(texts.say(locale, key)).toBe(template);
    }
  });

  it('refuse an unknown key, the key of a group, and a missing argument', () => {
    for (const key of ['errors.nothing', 'errors', 'nothing.at.all', 'errors.not_found.title.length']) {
      expect(() => texts.say('en', key)).toThrow(`No text '${key}' in 'en'`);
    }
    for (const key of ['errors.constructor', 'errors.toString.name', '__proto__']) {
      expect(() => texts.say('en', key)).toThrow(`No text '${key}' in 'en'`);
    }
    expect(() => texts.say('en', 'parameters.unknown')).toThrow('{parameter}');
  });

  it('select the plural form by the rules of the language', () => {
    const said = (count: number) => texts.say('en', 'search.country', { count });
    expect([0, 1, 2].map(said)).toEqual([
      'Economy with figures for 0 indicators.',
      'Economy with figures for 1 indicator.',
      'Economy with figures for 2 indicators.',
    ]);
    expect(texts.say('ja', 'search.country', { count: 1 })).toContain('1');
  });
});
