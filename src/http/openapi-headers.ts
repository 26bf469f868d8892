const integer = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' as const },
  example,
});
const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const },
  example,
});

/** On every response to an identified account. */
export const LIMIT_HEADERS = {
  'x-ratelimit-limit-minute': integer("The plan's requests in any 60 seconds", 120),
  'x-ratelimit-limit-day': integer("The plan's requests a UTC day", 100_000),
  'x-ratelimit-remaining-minute': integer('Requests left in the rolling minute, after this one', 119),
  'x-ratelimit-remaining-day': integer('Requests left today, after this one', 99_999),
  'RateLimit-Policy': text(
    'Both windows, as in draft-ietf-httpapi-ratelimit-headers-10',
    '"minute";q=120;w=60, "day";q=100000;w=86400',
  ),
  RateLimit: text('What is left of them, and when it changes', '"minute";r=119;t=60, "day";r=99999;t=43200'),
  'x-request-id': text('Taken over from the request when it is a sane token, else made', 'a3f2c9d0-4b1e'),
};

export const VALIDATOR_HEADERS = {
  etag: text('Strong; send it as If-None-Match to get a 304 while nothing has changed', '"x1Y…"'),
  link: text('On paged lists: the next page', '<…>; rel="next"'),
};

export const RETRY_HEADERS = {
  'retry-after': integer('Whole seconds until a request would be admitted', 12),
};
