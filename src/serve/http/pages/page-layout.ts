/** The icon, as a data URL. */
export const ICON =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Cpath%20d='M1%2011q3.5-3%207%200t7%200'%20fill='none'%20stroke='%230b62a4'%20stroke-width='2'/%3E%3Cpath%20d='M8%202v5'%20stroke='%2316324a'%20stroke-width='2'/%3E%3C/svg%3E";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#16324a}
h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}a{color:#0b62a4}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{background:#f1f5f8;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:6px}
table{border-collapse:collapse;width:100%}caption{text-align:left;padding:.5rem 0}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #dbe4ea}dt{font-weight:600;margin-top:1rem}dd{margin:0}`;

/** A page of the documentation. `body` is HTML, `title` is not. */
export function pageHtml(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><link rel="icon" href="${ICON}"><style>${STYLE}</style></head><body>${body}</body></html>`;
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
