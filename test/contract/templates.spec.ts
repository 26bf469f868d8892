import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageFiles, readMessages } from './messages.js';

const FOLDER = join(__dirname, '../../src/people/site/templates');
const templates = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.eta'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

describe('The templates of pages', () => {
  it('escape everything except other templates and JSON', () => {
    const raw = templates.flatMap(({ name, text }) =>
      [...text.matchAll(/<%~\s*([\s\S]*?)\s*%>/g)]
        .map(([, code = '']) => code)
        .filter((code) => code !== 'it.body' && code !== 'it.document' && !/^(?:include|it\.json)\(/.test(code))
        .map((code) => `${name}: ${code}`),
    );
    expect(raw).toEqual([]);
  });

  it('contain no style, script or event handler', () => {
    const inline = /<style|\sstyle=|\son[a-z]+=|<script(?! type="application\/(?:ld\+)?json")(?![^>]* src=)/;
    expect(templates.filter(({ text }) => inline.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('contain no words: the message files have them in three languages', () => {
    const known = new Set(
      messageFiles('en').flatMap((file) => Object.keys(readMessages('en', file)).map((key) => `${file}.${key}`)),
    );
    const names = ['Tidemark', 'English', '中文', '日本語', 'JSON', 'MCP', 'API', 'LEI', 'CIK'];
    for (const { name, text } of templates) {
      const markup = text.replaceAll(/<%[\s\S]*?%>/g, ' ').replaceAll(/<[^>]*>/g, ' ');
      const words = markup.match(/\p{L}{2,}/gu) ?? [];
      expect({ name, words: words.filter((word) => !names.includes(word)) }).toEqual({ name, words: [] });
      const keys = [...text.matchAll(/it\.t\('([^']+)'/g)].map(([, key = '']) => key);
      expect({ name, unknown: keys.filter((key) => !known.has(key) && !known.has(`${key}.other`)) }).toEqual({
        name,
        unknown: [],
      });
    }
  });
});
