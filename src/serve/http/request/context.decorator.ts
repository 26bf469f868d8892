import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestContext } from '../../responses/request-context.js';
import type { ApiRequest } from './api-request.js';

/** The context of the request, for a controller to hand to its service. */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => context.switchToHttp().getRequest<ApiRequest>().context,
);
