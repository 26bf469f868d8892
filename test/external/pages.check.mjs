import { drivePages } from '../browser/pages.mjs';

export const check = {
  name: 'pages',
  verifies:
    'Public pages in Chromium: axe finds nothing in light and dark, nothing is wider than 320 px or comes from elsewhere',
  needsService: true,
  async run({ service }) {
    const { url, key } = service;
    const ask = async (path) => {
      const answer = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
      return (await answer.json()).data ?? [];
    };
    const kinds = ['release', 'revision', 'move'];
    const changes = await Promise.all(kinds.map((kind) => ask(`changes?kind=${kind}&limit=1`)));
    const signals = await ask('search?q=inflation&type=signal&limit=1');
    const events = await ask('ahead?limit=1');
    const companies = await ask('companies?limit=1');
    const paths = [
      ...changes.flat().map(({ id }) => `/changes/${id}`),
      ...signals.map(({ id }) => `/signals/${id}`),
      ...events.map(({ id }) => `/calendar/${id}`),
      ...companies.map(({ slug }) => `/companies/${slug}`),
      '/',
      '/search?q=GDP%20Germany',
      '/countries',
      '/countries/JP',
      '/indicators',
      '/macro/gdp-growth',
      '/markets',
      '/topics',
      '/topics/inflation',
      '/companies',
      '/sources',
      '/docs/start',
      '/docs/errors',
      '/docs/mcp',
      '/docs/copy',
      '/docs/spreadsheets',
      '/docs/stability',
      '/calendar',
      '/briefs/latest',
      '/macro/gdp-growth/JP?with=US',
      '/markets/eurusd?span=1y&with=eurjpy',
    ];
    const found = await drivePages({ url, paths });
    if (found === null) return { skipped: 'no Chromium found: set CHROMIUM, or install the package chromium' };
    return { found, said: `${paths.length} pages in two colour schemes and two widths` };
  },
};
