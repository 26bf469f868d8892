import { Get, Query } from '@nestjs/common';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { AccountScoped } from '../../access/keys/account-scoped.decorator.js';
import { DescribeRoute } from '../../http/openapi/describe-route.decorator.js';
import { ResourceController } from '../../http/openapi/resource-controller.decorator.js';
import { Context } from '../../http/request/context.decorator.js';
import { Alert, AlertsQuery, alertsResource } from './alert.schema.js';
import { AlertsService } from './alerts.service.js';

@AccountScoped()
@ResourceController(alertsResource)
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @DescribeRoute({
    page: z.array(Alert),
    operation: 'listAlerts',
    summary: "The account's alerts",
    description:
      'Only the alerts of the calling account, newest first, each with its newest events. The list is empty for an account without alerts. Each publication evaluates the alerts that its figures affect.',
  })
  list(@Query({ schema: AlertsQuery }) query: AlertsQuery, @Context() context: RequestContext) {
    return this.alerts.list(query, context);
  }
}
