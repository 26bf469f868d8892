import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, type ErrorCode } from '../../src/domain/errors/errors.js';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const texts = JSON.parse(read('src/domain/locale/messages/en/errors.json')) as Record<
  string,
  { title: string; detail: string }
>;
const config = read('docker/nginx.conf');
const ANSWER = /location = \/\.errors\/(\w+) \{([^}]*)return (\d+) '(.*)';/g;
const answers = [...config.matchAll(ANSWER)].map(([, code = '', headers = '', status, body = '']) => ({
  code: code as ErrorCode,
  headers,
  status: Number(status),
  body: JSON.parse(body) as { data: null; meta: Record<string, unknown>; error: Record<string, unknown> },
}));

describe('An error page of the load balancer', () => {
  it('exists for each status that the configuration names', () => {
    const pages = config.matchAll(/error_page [\d ]+= \/\.errors\/(\w+);/g);
    const named = new Set([...pages].map(([, code]) => code));
    expect(answers.map(({ code }) => code).sort()).toEqual([...named].sort());
    expect(answers.length).toBeGreaterThanOrEqual(6);
  });

  it.each(answers)(
    "has the texts and the shape of the service's own error $code",
    ({ code, status, headers, body }) => {
      const { title = '', detail = '' } = texts[code] ?? {};
      expect(status).toBe(ERRORS[code].status);
      expect(headers.includes('add_header retry-after 1 always;')).toBe(ERRORS[code].retryAfter);
      expect(headers).toContain('add_header cache-control no-store always;');
      expect(headers).toContain('default_type application/json;');
      expect(body).toEqual({
        data: null,
        meta: { locale: 'en', dataVersion: null, publishedAt: null, sources: [], notices: [] },
        error: {
          type: `/docs/errors/${code}`,
          title,
          status,
          detail: detail.replace('{seconds}', '1'),
          code,
          requestId: '$request_id',
        },
      });
    },
  );
});
