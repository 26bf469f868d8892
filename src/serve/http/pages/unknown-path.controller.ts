import { All, Controller, Req } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { API_PREFIX } from '../../responses/url-builder.service.js';
import { ApiError, notFound } from '../../../domain/errors/api-error.js';
import { similar } from '../../../domain/errors/nearest.js';
import type { ApiRequest } from '../request/api-request.js';
import { RawResponse } from '../response/raw-response.decorator.js';
import { routesOf, type Route } from '../routes.js';
import { MCP_PATH } from '../request/early-checks.middleware.js';
import { isReadablePath } from '../request/query-parser.js';

/** Handles every path without a route, behind the same request pipeline: without a key the status is 401. */
@ApiExcludeController()
@RawResponse()
@Controller()
export class UnknownPathController {
  private routes: readonly Route[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  @All(['/', '{*path}'])
  refuse(@Req() request: ApiRequest): never {
    this.routes ??= routesOf(this.discovery);
    const { method } = request;
    const { path } = request.context;
    const reads = method === 'GET' || method === 'HEAD';
    if (!reads && this.routes.some(({ pattern }) => pattern.test(path))) {
      throw new ApiError('method_not_allowed', { headers: { allow: 'GET, HEAD, OPTIONS' } });
    }
    throw isReadablePath(path) ? namesNothing(path, this.routes) : new ApiError('not_found');
  }
}

/** Suggests similar routes, with the parameters of the path filled in. */
function namesNothing(path: string, routes: readonly Route[]): ApiError {
  const sent = path.split('/').filter(Boolean);
  const known = [...routes.map((route) => route.path), MCP_PATH]
    .map((known) => known.split('/').filter(Boolean))
    .filter(({ length }) => length === sent.length)
    .map((segments) => segments.map((one, at) => (one.startsWith(':') ? sent[at] : one)).join('/'));
  const near = similar(path.slice(API_PREFIX.length + 1), withoutPrefix(known));
  return notFound(
    'path',
    'no_path',
    decodeURIComponent(path),
    near.map((one) => `${API_PREFIX}/${one}`),
  );
}

const withoutPrefix = (paths: readonly string[]): string[] =>
  [...new Set(paths)].map((path) => path.slice(API_PREFIX.length));
