import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { ApiDocument } from '../../serve/http/openapi/api-document.js';
import { requestInProcess } from '../../serve/http/request/in-process-request.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Result } from '../../serve/responses/result.js';
import { sourcesView } from '../views/source.view.js';
import { ownMember } from '../../domain/names/own-member.js';

/** Enough for any response of the API; a longer one is shown in part. */
const MOST_READ = 4_000_000;
export const MOST_SHOWN = 100_000;
/** The allowed characters of a header's value; a key with others is invalid. */
const TOKEN = /^[!-~]{1,200}$/;

export interface ExplorerParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly choices: readonly string[];
  readonly example: string;
}

/** A route of the API, as its OpenAPI document describes it. */
export interface ExplorerRoute {
  readonly id: string;
  readonly path: string;
  readonly parameters: readonly ExplorerParameter[];
}

export interface ExplorerRequest {
  readonly route: ExplorerRoute;
  readonly values: Readonly<Record<string, string>>;
  readonly key: string;
  readonly clientAddress: string;
}

interface DocumentedParameter extends Pick<ExplorerParameter, 'name' | 'in'> {
  readonly example?: unknown;
  readonly schema?: {
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
    readonly examples?: readonly unknown[];
  };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly DocumentedParameter[];
}

/** Asks routes of the API for the account page, with the key and the limits of any program. */
@Injectable()
export class Explorer {
  constructor(
    private readonly document: ApiDocument,
    private readonly adapter: HttpAdapterHost,
  ) {}

  routes(): ExplorerRoute[] {
    return Object.entries(this.document.content?.paths ?? {}).flatMap(([path, { get }]) => {
      if (get === undefined) return [];
      const { operationId, parameters } = get as DocumentedOperation;
      return [{ id: operationId, path, parameters: parameters.map(explorerParameter) }];
    });
  }

  async ask({ route, values, key, clientAddress }: ExplorerRequest, locale: Locale) {
    const path = pathOf(route, values);
    const { status, headers, text, cut } = await requestInProcess(this.adapter.httpAdapter.getHttpServer() as Server, {
      path,
      clientAddress,
      mostBytes: MOST_READ,
      headers: {
        accept: 'application/json',
        ...(key !== '' && { authorization: `Bearer ${TOKEN.test(key) ? key : '-'}` }),
      },
    });
    const body = cut ? null : jsonOf(text);
    const pretty = body === null ? text : JSON.stringify(body, null, 2);
    return {
      status,
      path,
      bytes: Buffer.byteLength(text),
      cut: cut || pretty.length > MOST_SHOWN,
      text: pretty.slice(0, MOST_SHOWN),
      limits: limitsIn(headers),
      retryAfter: headers['retry-after'] ?? null,
      ...sourcesView([sourcedBy(body)], locale),
    };
  }
}

function explorerParameter({ name, in: place, schema = {}, example }: DocumentedParameter): ExplorerParameter {
  const sample = example ?? schema.examples?.[0] ?? schema.default ?? '';
  return { name, in: place, choices: (schema.enum ?? []).map(String), example: textOf(sample) };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** @throws AccessError `parameter_missing` */
function pathOf({ path, parameters }: ExplorerRoute, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = ownMember(values, name) ?? '';
    if (place === 'query') {
      if (value !== '') query.append(name, value);
    } else if (value === '') {
      throw new AccessError(`The path needs ${name}`, { code: 'parameter_missing', args: { name } });
    } else filled = filled.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function limitsIn(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return (['minute', 'day'] as const).flatMap((window) => {
    const limit = headers[`x-ratelimit-limit-${window}`];
    const left = headers[`x-ratelimit-remaining-${window}`];
    return limit === undefined ? [] : [{ window, limit: String(limit), left: String(left) }];
  });
}

function jsonOf(text: string): object | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}

/** The sources of an envelope; none of an error. */
function sourcedBy(body: object | null): Result<unknown> {
  const meta = (body as { readonly meta?: Partial<Result<unknown>> } | null)?.meta;
  const { sources = [], notices = [] } = meta ?? {};
  return { data: null, dataVersion: 0, publishedAt: null, sources, notices };
}
