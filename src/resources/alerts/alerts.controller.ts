import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { CallContext } from '../../access/call-context.js';
import { Own } from '../../access/own.decorator.js';
import { Answers } from '../../http/answers.decorator.js';
import { Call } from '../../http/call.decorator.js';
import { Alert, AlertsQuery } from './alert.schema.js';
import { AlertsService } from './alerts.service.js';

@Own()
@ApiTags('Alerts')
@Controller('alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @Answers({
    page: z.array(Alert),
    operation: 'listAlerts',
    summary: "The account's alerts",
    description:
      'The newest made first, each with its newest events; empty for an account without any. Only the calling account’s own. They are judged as figures are published, in the same revision.',
  })
  list(@Query({ schema: AlertsQuery }) query: AlertsQuery, @Call() call: CallContext) {
    return this.alerts.list(query, call);
  }
}
