import type { ClientSettings } from '../domain/config/client-settings.js';
import { ServiceError, UsageError } from './context/command-context.js';

interface ServiceResponse {
  /** The document of the service, of a success or of an error; null: it gave none. */
  readonly body: unknown;
  readonly error: ServiceError | null;
}

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly detail?: unknown; readonly title?: unknown };
}

const TIMEOUT_MS = 60_000;
/** As RFC 6750 has them: fetch would print any other in its error. */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** @throws UsageError, or ServiceError if there is no response; neither contains the key */
export async function getJson(path: string, { url, key }: ClientSettings): Promise<ServiceResponse> {
  if (key === null) throw new UsageError('no key: set TIDEMARK_KEY, or give --key');
  if (!BEARER_TOKEN.test(key)) throw new UsageError('the key contains characters that no key has');
  const target = requestUrl(path, url);
  const response = await fetch(target, {
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    // The key is for this service alone.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new ServiceError(`no response from ${target.origin}: ${reasonOf(error)}`, 1);
  });
  const text = await response.text().catch((error: unknown) => {
    throw new ServiceError(`the response of ${target.origin} broke off: ${reasonOf(error)}`, 1);
  });
  const body = parsed(text);
  return { body, error: response.ok && body !== null ? null : errorOf(response, body) };
}

/** `/changes`, `changes` and `/api/v1/changes` are the same; the origin is always the service's. */
function requestUrl(path: string, base: string): URL {
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new UsageError('the URL of the service must be an http or https address');
  }
  const below = path.replace(/^\/*(api\/v1(?=\/|$|\?))?\/*/, '');
  return new URL(`${base.replace(/\/api\/v1$/, '')}/api/v1/${below}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorOf({ status, headers }: Response, body: unknown): ServiceError {
  const { code, detail, title } = (body as ErrorBody | null)?.error ?? {};
  const words = [code, detail ?? title].filter((word) => typeof word === 'string');
  const wait = headers.get('retry-after');
  const reason = words.length === 0 ? 'the response is not JSON of Tidemark' : words.join(': ');
  return new ServiceError(
    `${status} ${reason}${wait === null ? '' : `; try again in ${wait} s`}`,
    exitCodeOf(status),
    body !== null,
  );
}

function exitCodeOf(status: number): number {
  if (status === 401 || status === 403) return 4;
  if (status === 404 || status === 410) return 5;
  if (status === 429) return 6;
  return status >= 400 && status < 500 ? 2 : 1;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : 'it cannot be reached';
}
