// Documents: results of tools under a URI, which a host can list, attach and cite.

import { shortened } from '../../domain/errors/api-error.js';
import type { Locale } from '../../domain/locale/locale.js';
import { invalidParams, type RpcError } from './json-rpc.js';
import { ownMember } from '../../domain/names/own-member.js';

/** The tool call that a URI stands for. */
export interface DocumentCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

interface DocumentKind {
  readonly tool: string;
  /** The argument of the tool that the path names. */
  readonly argument: string;
}

const KINDS: Readonly<Record<string, DocumentKind>> = {
  topics: { tool: 'latest_changes', argument: 'topic' },
  countries: { tool: 'latest_changes', argument: 'country' },
  indicators: { tool: 'figures', argument: 'indicator' },
  changes: { tool: 'get_change', argument: 'id' },
  companies: { tool: 'company', argument: 'slug' },
  markets: { tool: 'quotes', argument: 'instrument' },
};

export const LATEST_BRIEF_URI = 'tidemark://briefs/latest';

/** The entry in `resources/list`. */
export const LISTED_DOCUMENT = {
  uri: LATEST_BRIEF_URI,
  name: 'latest_brief',
  title: 'Latest brief',
  description: 'The brief of the newest day with changes: headlines, closes, releases ahead',
  mimeType: 'text/plain',
};

/** The entries in `resources/templates/list`; other URIs come from the tool `search`. */
export const LISTED_TEMPLATES = [
  {
    uriTemplate: 'tidemark://topics/{topic}{?locale}',
    name: 'topic',
    title: 'Changes of a topic',
    description: 'The newest verified changes of a topic: inflation',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'tidemark://countries/{country}{?locale}',
    name: 'country',
    title: 'Changes in a country',
    description: 'The newest verified changes in a country or aggregate: JP, EMU',
    mimeType: 'text/plain',
  },
  {
    uriTemplate: 'tidemark://indicators/{indicator}{?country,locale}',
    name: 'indicator',
    title: 'Figures of an indicator',
    description: 'The newest figures of an indicator in a country; without country, a ranking: cpi-inflation',
    mimeType: 'text/plain',
  },
];

/** The forms of all URIs. */
const FORMS = [
  LATEST_BRIEF_URI,
  ...Object.entries(KINDS).map(([kind, { argument }]) => `tidemark://${kind}/{${argument}}`),
];

const URI = /^tidemark:\/\/([a-z]{1,20})\/([^/?#]{1,300})(?:\?([^#]{0,500}))?$/;

/** The URI of a document; the query has the other arguments of the tool. */
export function documentUri(kind: string, key: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams(query).toString();
  return `tidemark://${kind}/${encodeURIComponent(key)}${parameters === '' ? '' : `?${parameters}`}`;
}

/** The same document in this language. */
export function inLocale(uri: string, locale: Locale): string {
  const [, kind = '', path = '', query = ''] = URI.exec(uri) ?? [];
  const parameters = new URLSearchParams(query);
  parameters.set('locale', locale);
  return `tidemark://${kind}/${path}?${parameters.toString()}`;
}

/** The tool call of a URI; null if there is no such kind, or the URI is malformed. */
export function documentCallOf(uri: string): DocumentCall | null {
  const [, kind = '', path = '', query = ''] = URI.exec(uri) ?? [];
  if (!isDecodable(path) || !isDecodable(query)) return null;
  const rest = Object.fromEntries(new URLSearchParams(query));
  if (`tidemark://${kind}/${path}` === LATEST_BRIEF_URI) return { tool: 'latest_brief', args: rest };
  const found = ownMember(KINDS, kind);
  if (found === undefined) return null;
  return { tool: found.tool, args: { ...rest, [found.argument]: decodeURIComponent(path) } };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function unknownDocument(uri: string, parameter = 'uri'): RpcError {
  const args = { name: shortened(uri) };
  return invalidParams({ parameter, reason: 'unknown_document', args, allowed: FORMS });
}
