// Writes docs/reference/*.md from the tables that the service uses. Runs on the built code; the contract suite fails if
// a page is stale. `node scripts/reference.mjs`
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';

const root = path.dirname(import.meta.dirname);
const built = (file) => import(pathToFileURL(path.join(root, 'dist', file)).href);

const { ERRORS } = await built('errors/errors.js');
const { PLAN_TERMS } = await built('plans/plans.js');
const { LICENCES } = await built('sources/licences.js');
const words = JSON.parse(readFileSync(path.join(root, 'dist/locale/messages/en/errors.json'), 'utf8'));

const REMEDIES = {
  retry: 'The same request may succeed later.',
  change_request: 'Change the request.',
  change_key: 'Send a valid key or access token.',
  change_plan: 'Request less, or change the plan.',
  none: 'Clients can do nothing.',
};

const yes = (value) => (value ? 'yes' : 'no');
const number = (value) => value.toLocaleString('en');
const cell = (value) => String(value).replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const PAGES = {
  errors: {
    title: 'Errors',
    from: 'src/errors/errors.ts',
    text: 'Programs can rely on `error.code`, which is stable. A running service has a page for each code under `/docs/errors`, in three languages.',
    table: table(
      ['Status', 'Code', '`retry-after`', 'What happened', 'What to do'],
      Object.entries(ERRORS).map(([code, { status, retryAfter, remedy }]) => [
        status,
        `\`${code}\``,
        yes(retryAfter),
        words[code].detail.replace('{seconds}', 'n'),
        REMEDIES[remedy],
      ]),
    ),
  },
  plans: {
    title: 'Plans',
    from: 'src/plans/plans.ts',
    text: 'Limits apply per account, over all of its keys. A minute is any span of 60 seconds; a day is a UTC calendar day.',
    table: table(
      [
        'Plan',
        'Requests a minute',
        'Requests a day',
        'Depth of a structure map',
        'Live keys',
        'First key after sign-up',
      ],
      Object.entries(PLAN_TERMS).map(([plan, terms]) => [
        plan,
        number(terms.perMinute),
        number(terms.perDay),
        terms.structureDepth,
        terms.liveKeys,
        terms.firstKeyAfterHours === 0 ? 'at once' : `${terms.firstKeyAfterHours} hours`,
      ]),
    ),
  },
  licences: {
    title: 'Licences',
    from: 'src/sources/licences.ts',
    text: 'What the licence of a source demands of everyone who shows its figures. The service never returns figures that may not be redistributed.',
    table: table(
      [
        'Licence',
        'Name',
        'Name the source',
        'Link the licence',
        'Date the credit',
        'State changes',
        'Show a notice',
        'Redistribution',
        'Derivation',
        'Share alike',
      ],
      Object.entries(LICENCES).map(([id, licence]) => [
        `\`${id}\``,
        `[${licence.name.en}](${licence.url})`,
        yes(licence.attributionRequired),
        yes(licence.linkRequired),
        licence.dated ?? 'no',
        yes(licence.modificationStated),
        licence.notice?.en ?? 'no',
        yes(licence.redistribution),
        yes(licence.derivation),
        yes(licence.shareAlike),
      ]),
    ),
  },
};

const folder = path.resolve(process.argv[2] ?? path.join(root, 'docs/reference'));
const style = await resolveConfig(path.join(root, 'docs/reference/errors.md'));
mkdirSync(folder, { recursive: true });
for (const [name, page] of Object.entries(PAGES)) {
  const text = `# ${page.title}\n\nGenerated from \`${page.from}\` by \`node scripts/reference.mjs\`: change the table, not this page.\n\n${page.text}\n\n${page.table}\n`;
  writeFileSync(path.join(folder, `${name}.md`), await format(text, { ...style, parser: 'markdown' }));
}
