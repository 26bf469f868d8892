import { LICENCES } from '../../../domain/sources/licences.js';
import { INTERFACE_VERSIONS } from '../openapi/changelog.js';
import { escape, type DocumentPage } from './page-layout.js';

/** What each version of the interface added. */
export function changelogPage(): DocumentPage {
  const versions = INTERFACE_VERSIONS.map(({ version, releasedOn, added }) => {
    const lines = added.map((line) => `<li>${marked(line)}</li>`);
    return `<h2>${version}</h2><p>${releasedOn === null ? 'Not released yet' : escape(releasedOn)}</p><ul>${lines.join('')}</ul>`;
  });
  return {
    path: '/docs/changelog',
    title: 'Changelog of the interface',
    body: `<h1>Changelog of the interface</h1>
<p>The OpenAPI document names this version as <code>info.version</code>. Within version 1, members, values of open enumerations and optional parameters may be added; nothing is removed, renamed or retyped.</p>${versions.join('')}`,
  };
}

/** What the licence of a source demands of everyone who shows its figures. */
export function licencesPage(): DocumentPage {
  const rows = Object.entries(LICENCES)
    .filter(([, { redistribution }]) => redistribution)
    .map(([id, terms]) => {
      const { name, url, attributionRequired, linkRequired, modificationStated, shareAlike } = terms;
      const duties = [
        ...(attributionRequired ? ['name the source'] : []),
        ...(linkRequired ? ['link the licence'] : []),
        ...(terms.dated === null ? [] : [`date the credit (${terms.dated})`]),
        ...(modificationStated ? ['state changes'] : []),
        ...(terms.notice === null ? [] : ['show the notice']),
        ...(shareAlike ? ['share alike'] : []),
      ];
      const link = `<a href="${escape(url)}">${escape(name.en)}</a>`;
      return `<tr><td><code>${id}</code></td><td>${link}</td><td>${duties.join(', ') || 'nothing'}</td></tr>`;
    });
  return {
    path: '/docs/licences',
    title: 'Licences of the figures',
    body: `<h1>Licences</h1>
<p>No single licence covers all figures: each has the licence of its source. In every response, <code>meta.sources</code> has the licence and the attribution to show with the figures, and <code>meta.notices</code> the sentences that you must show.</p>
<table><thead><tr><th scope="col">Licence</th><th scope="col">Name</th><th scope="col">Who shows the figures must</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  };
}

/** Code spans of a line of the changelog. */
function marked(line: string): string {
  return escape(line).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
