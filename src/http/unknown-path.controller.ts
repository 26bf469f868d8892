import { All, Controller, Req } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiError } from '../errors/api-error.js';
import type { ApiRequest } from './api-request.js';
import { routesOf } from './routes.js';

/** What no route takes, behind the same gate: without a key all of it is 401. */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  private patterns: readonly RegExp[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  @All(['/', '*path'])
  refuse(@Req() request: ApiRequest): never {
    this.patterns ??= routesOf(this.discovery).map(({ pattern }) => pattern);
    const path = request.path;
    if (
      request.method !== 'GET' &&
      request.method !== 'HEAD' &&
      this.patterns.some((one) => one.test(path))
    ) {
      throw new ApiError('method_not_allowed', { headers: { allow: 'GET, HEAD, OPTIONS' } });
    }
    throw new ApiError('not_found');
  }
}
