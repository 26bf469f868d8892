import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { ConsistentReader } from '../../serve/responses/consistent-reader.service.js';
import { macroResource } from '../../serve/resources/macro/macro.schema.js';
import type { Read } from '../../store/snapshots.js';
import { SitePage } from '../site/site-page.decorator.js';
import { PublicPages } from './public-pages.service.js';

/** The sources of stored series, registers included, with the number of series. */
const SOURCES = `
  SELECT p.id, (SELECT count(*)::int FROM series s WHERE s.source_id = p.id) AS series
  FROM sources p
  WHERE EXISTS (SELECT FROM series s WHERE s.source_id = p.id) OR EXISTS (SELECT FROM entities e WHERE e.source_id = p.id)
  ORDER BY p.id`;

/** Every address of a page with figures but those of changes, of which there are too many. */
const ADDRESSES = `
  SELECT '/macro/' || s.indicator || '/' || s.region AS path FROM series s WHERE s.indicator IS NOT NULL
  UNION ALL SELECT DISTINCT '/macro/' || s.indicator FROM series s WHERE s.indicator IS NOT NULL
  UNION ALL SELECT DISTINCT '/countries/' || s.region FROM series s WHERE s.region IS NOT NULL
  UNION ALL SELECT DISTINCT '/markets/' || s.instrument FROM series s WHERE s.instrument IS NOT NULL
  UNION ALL SELECT '/topics/' || t.slug FROM topics t
  UNION ALL SELECT '/companies/' || c.slug FROM companies c WHERE c.listed
  ORDER BY 1 LIMIT 45000`;
const LISTS = ['/', '/countries', '/indicators', '/markets', '/topics', '/companies', '/calendar'];

@SitePage()
@Controller()
export class SourcesPageController {
  constructor(
    private readonly pages: PublicPages,
    private readonly reader: ConsistentReader,
    private readonly texts: Texts,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {}

  @Get('sources')
  sources(@Req() request: ApiRequest) {
    return this.pages.page(request, 'sources', async (context) => {
      const { locale } = context;
      const result = await this.reader.read(macroResource, context, async (read, cite) => {
        const rows = await read<{ id: string; series: number }>(SOURCES);
        cite.sources(rows.map(({ id }) => id));
        return { data: rows };
      });
      const counts = new Map(result.data.map(({ id, series }) => [id, series]));
      return {
        view: 'source-list',
        results: [result],
        table: {
          name: 'sources',
          columns: ['id', 'publisher', 'url', 'series'],
          rows: result.sources.map(({ id, publisher, url }) => [id, publisher, url, counts.get(id) ?? 0, id]),
        },
        model: {
          title: this.texts.say(locale, 'site.sources.title'),
          path: '/sources',
          description: this.texts.say(locale, 'site.sources.lead'),
          counts: Object.fromEntries(counts),
        },
      };
    });
  }

  @Get('sitemap.xml')
  sitemap(@Req() request: ApiRequest) {
    return this.pages.file(request, 'application/xml; charset=utf-8', async (context) => {
      const { data } = await this.reader.read(macroResource, context, async (read: Read) => ({
        data: await read<{ path: string }>(ADDRESSES),
      }));
      const { baseUrl } = this.settings;
      // Each page names its other languages.
      const urls = [...LISTS, ...data.map(({ path }) => path)].map(
        (path) => `<url><loc>${baseUrl}${path}?locale=en</loc></url>`,
      );
      return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
    });
  }

  @Get('robots.txt')
  robots(@Req() request: ApiRequest) {
    const lines = [
      'User-agent: *',
      ...['/account', '/search', '/api/'].map((path) => `Disallow: ${path}`),
      `Sitemap: ${this.settings.baseUrl}/sitemap.xml`,
      '',
    ];
    return this.pages.file(request, 'text/plain; charset=utf-8', () => Promise.resolve(lines.join('\n')));
  }
}
