interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'integer' | 'string' };
  readonly example: number | string;
}

const integer = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer' },
  example,
});
const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Every header that a response can carry, once; responses refer to them by name. */
export const HEADERS = {
  'x-request-id': text('Taken over from the request when it is a sane token, else made', 'a3f2c9d0-4b1e'),
  'content-language': text('Language of the content', 'en'),
  etag: text(
    'Strong. Send it as If-None-Match: the answer is 304 while nothing has changed',
    '"x1YpG0bT4uS_9jGd0t2mQpZkA7c"',
  ),
  link: text(
    'The next page, where there is one',
    '<https://tidemark.example/api/v1/changes?cursor=6EC9iWqN>; rel="next"',
  ),
  'x-ratelimit-limit-minute': integer("The plan's requests in any 60 seconds", 120),
  'x-ratelimit-limit-day': integer("The plan's requests a UTC day", 100_000),
  'x-ratelimit-remaining-minute': integer('Requests left in the rolling minute, after this one', 119),
  'x-ratelimit-remaining-day': integer('Requests left today, after this one', 99_999),
  'ratelimit-policy': text(
    'Both windows, as in draft-ietf-httpapi-ratelimit-headers-10',
    '"minute";q=120;w=60, "day";q=100000;w=86400',
  ),
  ratelimit: text('What is left of them, and when it changes', '"minute";r=119;t=60, "day";r=99999;t=43200'),
  'retry-after': integer('Whole seconds until a request would be admitted', 12),
  'www-authenticate': text('How to send a key', 'Bearer'),
  allow: text('The methods that this address takes', 'GET, HEAD, OPTIONS'),
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

/** On every response of the service. */
export const COMMON_HEADERS = ['x-request-id', 'content-language'] as const satisfies readonly HeaderName[];

/** On every response to an identified account. */
export const LIMIT_HEADERS = [
  'x-ratelimit-limit-minute',
  'x-ratelimit-limit-day',
  'x-ratelimit-remaining-minute',
  'x-ratelimit-remaining-day',
  'ratelimit-policy',
  'ratelimit',
] as const satisfies readonly HeaderName[];

export function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
