// The same list with Nest, Express and pg as a newcomer writes it: a guard that looks each key up, a service with the
// statement, objects that Express writes as JSON and hashes for the ETag. Decorators are called, for want of a compiler.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Controller, Get, HttpException, Injectable, Module, Req, Res, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { pino } from 'pino';
import { hashOf, keyIn, openFacts, statementOf, widePage } from './changes.mjs';
import { openLimits } from './limits.mjs';

const { port, baseUrl, connection, redisUrl, hardening } = JSON.parse(process.env.BENCH_SERVER);
const pool = new pg.Pool({ ...connection, max: 6 });
pool.on('error', () => undefined);
const facts = await openFacts(pool);
const admit = await openLimits(redisUrl);
const log = pino({ level: 'info', base: null });

class KeyGuard {
  async canActivate(context) {
    const http = context.switchToHttp();
    const request = http.getRequest();
    const key = keyIn(request.headers.authorization);
    const { rows } =
      key === null ? { rows: [] } : await pool.query('SELECT account FROM callers WHERE hash = $1', [hashOf(key)]);
    if (rows.length === 0) throw new HttpException('invalid_key', 401);
    request.account = rows[0].account;
    const { isAdmitted, headers } = await admit(request.account);
    http.getResponse().set(headers);
    if (!isAdmitted) throw new HttpException('limit_exceeded', 429);
    return true;
  }
}
Injectable()(KeyGuard);

class ChangesController {
  async list(request, response) {
    const query = { ...request.query, limit: Number(request.query.limit ?? 20) };
    const { text, values } = statementOf('wide_changes', 'position', query);
    const { rows } = await pool.query(text, values);
    response.set({ 'cache-control': 'private, max-age=30', 'content-language': 'en' });
    return widePage(rows, query.limit, facts, baseUrl);
  }
}
Controller('api/v1/changes')(ChangesController);
UseGuards(KeyGuard)(ChangesController);
const list = Object.getOwnPropertyDescriptor(ChangesController.prototype, 'list');
Get()(ChangesController.prototype, 'list', list);
Req()(ChangesController.prototype, 'list', 0);
Res({ passthrough: true })(ChangesController.prototype, 'list', 1);

class AppModule {}
Module({ controllers: [ChangesController], providers: [KeyGuard] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.use((request, response, next) => {
  const began = performance.now();
  const requestId = randomUUID();
  response.set({ ...hardening, 'x-request-id': requestId, vary: 'authorization, accept-encoding' });
  response.on('finish', () => {
    const { account = null, method, url } = request;
    log.info({ requestId, account, method, url, status: response.statusCode, ms: performance.now() - began });
  });
  next();
});
await app.listen(port, '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
