import type { CallToolResult } from '@modelcontextprotocol/server';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { LOCALES, type Locale } from '../../domain/locale/locale.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import type { ProjectedSource } from '../projections/source-projection.js';
import { DocumentReader } from './document-reader.service.js';
import { documentCallOf, documentUri, inLocale, unknownDocument } from '../protocol/documents.js';
import { asJson, type Structured } from '../protocol/json-content.js';
import type { McpRequest } from '../protocol/mcp-request.js';
import { ToolHandler, type ToolDefinition } from '../calls/tool-definition.js';
import { ToolRunner } from '../calls/tool-runner.service.js';
import { validArguments } from '../arguments/call-arguments.js';

const input = z.strictObject({
  id: z.string().min(1).max(600).describe('Id of a result of search: tidemark://indicators/cpi-inflation?country=JP'),
  locale: z
    .enum(LOCALES)
    .optional()
    .describe('Language of the text; zh is Simplified Chinese; none: as in the id, else en'),
});

const Fetched = z.looseObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.looseObject({}),
});

export const fetchDefinition = {
  name: 'fetch',
  title: 'Fetch',
  description: [
    'Gets one document by its id from search: title, text, url, and metadata with sources, licences and age. The text has each figure with unit, period and the page to link, the sources with licences, and the notices that must be shown.',
    'Use it for the content of a result of search; to find other ids call search.',
    'An unknown id is an error that names the nearest. One call costs one request of the plan.',
  ],
  input,
  data: Fetched,
  output: Fetched,
} satisfies ToolDefinition;

/** The id of a change alone, as links contain it. */
const CHANGE_ID = /^chg_[\w-]+$/;

@McpController({ server: 'search' })
export class FetchTool {
  constructor(
    private readonly reader: DocumentReader,
    private readonly urls: UrlBuilder,
    private readonly runner: ToolRunner,
  ) {}

  @ToolHandler(fetchDefinition)
  async run(@Payload() sent: unknown, @Ctx() mcp: McpContext): Promise<CallToolResult> {
    const request = mcp.getRawRequest<McpRequest>();
    if (request === undefined) throw new Error('No tool runs without a request');
    try {
      const { faults } = request.context;
      const valid = validArguments(input, sent, faults);
      const uri = await faults.check(['id'], () => uriOf(valid));
      if (uri === undefined) return faults.refuseWith(null);
      const result = await this.reader.read(uri, mcp);
      return asJson(result, (structure, text) => ({
        id: uri,
        title: titleOf(structure, text),
        text,
        url: this.urlOf(uri, structure, request.context.locale),
        metadata: metadataOf(structure),
      }));
    } catch (thrown) {
      return this.runner.failed(fetchDefinition.name, thrown, request);
    }
  }

  private urlOf(uri: string, { data }: Structured, locale: Locale): string {
    const { url, series = [] } = data as { url?: string; series?: readonly { url: string }[] };
    const [only, ...others] = series;
    if (url !== undefined) return url;
    if (only !== undefined && others.length === 0) return only.url;
    const { args = {} } = documentCallOf(uri) ?? {};
    const { indicator, topic, country } = args;
    const query = { ...(topic !== undefined && { topic }), ...(country !== undefined && { country }) };
    return indicator === undefined ? this.urls.links(locale, ['changes'], query).url : this.urls.of('macro', indicator);
  }
}

/** @throws RpcError if the id is not that of a document */
function uriOf({ id, locale }: z.output<typeof input>): string {
  const uri = CHANGE_ID.test(id) ? documentUri('changes', id) : id;
  if (documentCallOf(uri) === null) throw unknownDocument(id, 'id');
  return locale === undefined ? uri : inLocale(uri, locale);
}

/** The document's own name; of a list, its first line. */
function titleOf({ data }: Structured, text: string): string {
  const {
    headline,
    title,
    name,
    indicator,
    series = [],
  } = data as Readonly<Partial<Record<'headline' | 'title' | 'name', string>>> & {
    readonly indicator?: { readonly name: string };
    readonly series?: readonly { readonly region: { readonly name: string } }[];
  };
  const own = headline ?? title ?? name;
  if (own !== undefined) return own;
  if (indicator === undefined) return text.split('\n')[0] ?? '';
  const [only, ...others] = series;
  return only === undefined || others.length > 0 ? indicator.name : `${only.region.name} · ${indicator.name}`;
}

/** Texts only, as hosts expect. */
function metadataOf({ meta }: Structured): Record<string, string> {
  const sources = meta['sources'] as readonly ProjectedSource[];
  const { newestPeriod, retrievedAt } = (meta['freshness'] ?? {}) as Record<string, string | null>;
  const texts = {
    sources: sources.map(({ attribution, url }) => `${attribution} ${url}`).join('; '),
    licences: [...new Set(sources.flatMap(({ licence }) => (licence ? [`${licence.name}, ${licence.url}`] : [])))].join(
      '; ',
    ),
    notices: ((meta['notices'] ?? []) as readonly string[]).join(' '),
    newestPeriod,
    retrievedAt,
  };
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
