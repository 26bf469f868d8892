// Renders guides of docs/ for /docs, at build time: the service itself reads no Markdown.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';

const docs = path.join(path.dirname(import.meta.dirname), 'docs');
/** The address below /docs, and the file. */
const GUIDES = {
  'first-steps': 'tutorial/first-answers.md',
  pages: 'how-to/pages.md',
  spreadsheets: 'how-to/spreadsheets.md',
  vintages: 'explanation/vintages.md',
  copy: 'how-to/copy.md',
  notifications: 'how-to/notifications.md',
  mcp: 'how-to/mcp.md',
  plans: 'reference/plans.md',
  stability: 'reference/stability.md',
};
/** What has a page of another origin. */
const OTHERS = { 'reference/errors.md': '/docs/errors', 'reference/licences.md': '/docs/licences' };
const ADDRESSES = new Map([
  ...Object.entries(GUIDES).map(([slug, file]) => [file, `/docs/${slug}`]),
  ...Object.entries(OTHERS),
]);

/** @returns {{ path: string, title: string, body: string }[]} */
export const guides = () =>
  Object.entries(GUIDES).map(([slug, file]) => {
    const text = readFileSync(path.join(docs, file), 'utf8');
    const renderer = new marked.Renderer();
    const plain = { link: renderer.link, table: renderer.table };
    // A file that is not served is named, not linked.
    renderer.link = (href, title, inner) => {
      const served = addressOf(file, href);
      return served === null ? inner : plain.link.call(renderer, served, title, inner);
    };
    let tables = 0;
    renderer.table = (head, body) =>
      `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}">${plain.table.call(renderer, head, body)}</div>`;
    const [, title = slug] = /^# (.+)$/m.exec(text) ?? [];
    return { path: `/docs/${slug}`, title, body: marked.parse(text, { renderer, mangle: false }) };
  });

/** Null if the target is a file that is not served. */
function addressOf(file, href) {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [target, anchor] = href.split('#');
  const address = ADDRESSES.get(path.posix.join(path.posix.dirname(file), target));
  if (address === undefined) return null;
  return anchor === undefined ? address : `${address}#${anchor}`;
}
