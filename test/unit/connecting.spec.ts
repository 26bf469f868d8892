import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { ERROR_CODES } from '../../src/domain/errors/errors.js';

const PAGE = readFileSync(join(__dirname, '../../docs/how-to/mcp.md'), 'utf8');
const snippets = (language: string): string[] =>
  [...PAGE.matchAll(/```(\w+)\n([^]*?)```/g)].flatMap(([, name, text = '']) => (name === language ? [text] : []));

describe('The page about connecting an assistant', () => {
  it('begins with a table of the clients, each with a section', () => {
    const [table = ''] = PAGE.split('### Claude Desktop');
    for (const client of ['Claude Desktop', 'Claude Code', 'ChatGPT', 'Cursor', 'VS Code']) {
      expect(table).toContain(`[${client}](`);
      expect(PAGE).toContain(`\n### ${client}\n`);
    }
  });

  it('has only snippets that a parser accepts, with the endpoint as their address', () => {
    expect(snippets('json').length).toBeGreaterThanOrEqual(4);
    for (const text of snippets('json')) {
      expect(JSON.stringify(JSON.parse(text))).toContain('https://tidemark.example/api/v1/mcp');
    }
    for (const text of snippets('ts'))
      expect(() => transformSync(text, { jsc: { parser: { syntax: 'typescript' } } })).not.toThrow();
    expect(snippets('sh').join()).toMatch(/claude mcp add .*--header "Authorization: Bearer \$TIDEMARK_KEY"/);
  });

  it('has a key in no file that is committed', () => {
    const committed = snippets('json').filter((text) => !text.includes('mcp-remote'));
    expect(committed.filter((text) => text.includes('tm_'))).toEqual([]);
  });

  it('names error codes that the service sends', () => {
    const [, troubles = ''] = PAGE.split('### If it does not work');
    const named = [...(troubles.split('\n## ')[0] ?? '').matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code]) => code);
    expect(named.length).toBeGreaterThanOrEqual(6);
    for (const code of named) expect(ERROR_CODES).toContain(code);
  });
});
