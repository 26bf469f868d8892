interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'integer' | 'string'; readonly format?: 'int32' };
  readonly example: number | string;
}

const integer = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', format: 'int32' },
  example,
});
const text = (description: string, example: string): Header => ({ description, schema: { type: 'string' }, example });

/**
 * Every response header, once; responses refer to them. Names are spelled as in the RFCs, because readers and linters
 * search for that spelling; HTTP ignores case.
 */
export const HEADERS = {
  'X-Request-Id': text(
    'The id that the request sent, if it is a valid token; otherwise a generated one',
    'a3f2c9d0-4b1e',
  ),
  'Content-Language': text('Language of the content', 'en'),
  ETag: text(
    'Strong validator. Send it as If-None-Match: the response is 304 until the content changes',
    '"x1YpG0bT4uS_9jGd0t2mQpZkA7c"',
  ),
  Link: text(
    'The next page; absent on the last page',
    '<https://tidemark.example/api/v1/changes?cursor=6EC9iWqN>; rel="next"',
  ),
  'X-RateLimit-Limit-Minute': integer('Requests that the plan allows in any 60 seconds', 120),
  'X-RateLimit-Limit-Day': integer('Requests that the plan allows in a UTC day', 100_000),
  'X-RateLimit-Remaining-Minute': integer('Requests left in the rolling minute, after this one', 119),
  'X-RateLimit-Remaining-Day': integer('Requests left today, after this one', 99_999),
  'RateLimit-Policy': text(
    'Both windows, as in draft-ietf-httpapi-ratelimit-headers-10',
    '"minute";q=120;w=60, "day";q=100000;w=86400',
  ),
  RateLimit: text(
    'Remaining requests of both windows, and the seconds until they change',
    '"minute";r=119;t=60, "day";r=99999;t=43200',
  ),
  'Retry-After': integer('Whole seconds until the service accepts a request again', 12),
  'WWW-Authenticate': text('How to send a key', 'Bearer'),
  Allow: text('The methods that this URL supports', 'GET, HEAD, OPTIONS'),
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

/** On every response of the service. */
export const COMMON_HEADERS = ['X-Request-Id', 'Content-Language'] as const satisfies readonly HeaderName[];

/** On every response to an identified account. */
export const LIMIT_HEADERS = [
  'X-RateLimit-Limit-Minute',
  'X-RateLimit-Limit-Day',
  'X-RateLimit-Remaining-Minute',
  'X-RateLimit-Remaining-Day',
  'RateLimit-Policy',
  'RateLimit',
] as const satisfies readonly HeaderName[];

export function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
