import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpBody } from './mcp-body.service.js';
import { McpController } from './mcp.controller.js';
import type { McpRequest } from './protocol/mcp-request.js';

/** Runs after authentication and before the rate limiter, for the MCP endpoint only. */
@Injectable()
export class McpBodyGuard implements CanActivate {
  constructor(private readonly body: McpBody) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getClass() !== McpController) return true;
    await this.body.read(context.switchToHttp().getRequest<McpRequest>());
    return true;
  }
}
