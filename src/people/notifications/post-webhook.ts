import { lookup as resolveHost, type LookupAddress } from 'node:dns';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import type { NetworkPolicy } from './network-policy.js';
import { destinationOf, hostOf } from './webhook-url.js';

/** Why an attempt failed, by the codes that the page has a text for. */
export type AttemptError =
  | 'timeout'
  | 'unreachable'
  | 'host_unknown'
  | 'address_refused'
  | 'tls_failed'
  | 'redirected'
  | 'status'
  | 'gone'
  | 'secret_lost'
  | 'mail_failed'
  | 'channel_disabled'
  | 'internal'
  | 'withdrawn';

export interface AttemptResult {
  /** Null: delivered. */
  readonly error: AttemptError | null;
  readonly status?: number;
}

export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookLimits {
  readonly policy: NetworkPolicy;
  readonly timeoutMs: number;
  /** Replaced in tests. */
  readonly resolve?: ResolveHost;
  /** Ends the attempt early. */
  readonly signal?: AbortSignal;
}

/** A receiver that is reachable accepts a connection in this time. */
const CONNECT_MS = 1_000;
/** A receiver may say so much; the rest is not read. */
const RESPONSE_BYTES = 1_024;

const resolveAll: ResolveHost = (host) => promisify(resolveHost)(host, { all: true });

/**
 * Posts a notification and follows no redirect. Resolves the host once, checks every address, and connects to those
 * only: a name that resolves to another address a moment later (DNS rebinding) changes nothing.
 */
export async function postWebhook(post: WebhookPost, limits: WebhookLimits): Promise<AttemptResult> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal]);
  try {
    const addresses = await withSignal(signal, addressesOf(post.url, limits.resolve ?? resolveAll));
    const destination = destinationOf(new URL(post.url));
    const isAllowed = addresses.every(({ address }) => limits.policy.allows(address, destination));
    if (addresses.length === 0 || !isAllowed) return { error: 'address_refused' };
    return resultOf(await send(post, addresses, signal));
  } catch (error) {
    return { error: signal.aborted ? 'timeout' : errorOf(error) };
  }
}

async function addressesOf(url: string, resolve: ResolveHost): Promise<readonly LookupAddress[]> {
  const host = hostOf(new URL(url));
  const family = isIP(host);
  return family === 0 ? resolve(host) : [{ address: host, family }];
}

/** The resolver of the system cannot be cancelled, so the attempt stops waiting for it. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(new Error('aborted'));
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

function send(post: WebhookPost, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      // An agent of its own: no connection is reused that was opened to an earlier address.
      agent: false,
      lookup: pinned(addresses),
      headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      signal,
    };
    const request: ClientRequest = post.url.startsWith('https:')
      ? requestHttps(post.url, options)
      : requestHttp(post.url, options);
    request.on('error', reject);
    request.on('socket', (socket) => {
      const timer = setTimeout(() => {
        request.destroy(Object.assign(new Error('No connection'), { code: 'ETIMEDOUT' }));
      }, CONNECT_MS);
      for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
    });
    request.on('response', (response) => {
      skipBody(response, () => {
        resolve(response.statusCode ?? 0);
      });
    });
    request.end(post.body);
  });
}

/** Answers with the checked addresses, whatever the resolver would say now. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? '', first?.family);
  };
}

/** The status suffices: a body that breaks off or does not end changes nothing. */
function skipBody(response: IncomingMessage, done: () => void): void {
  let read = 0;
  response
    .on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > RESPONSE_BYTES) response.destroy();
    })
    .on('error', done)
    .on('close', done);
}

function resultOf(status: number): AttemptResult {
  if (status >= 200 && status < 300) return { error: null, status };
  if (status === 410) return { error: 'gone', status };
  return { error: status >= 300 && status < 400 ? 'redirected' : 'status', status };
}

function errorOf(error: unknown): AttemptError {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'host_unknown';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code) ? 'tls_failed' : 'unreachable';
}
