import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { z } from 'zod';
import type { RequestContext } from '../../responses/request-context.js';
import { faultsIn, refuseTooMany } from './parameters.pipe.js';

const QUERY = `${RouteParamtypes.QUERY}:`;

/**
 * Moves the faulty parameters of a query to the faults of the request, so that its service can check the others and one
 * response names all faults.
 * @param handler the method of the controller
 * @throws ApiError `invalid_parameter` for too many parameters
 */
export function setFaultyAside(type: Type, handler: string, context: RequestContext): void {
  const schema = querySchemaOf(type, handler);
  if (schema === undefined) return;
  const { query } = context;
  refuseTooMany(query);
  const parsed = schema.safeParse(query);
  if (parsed.success) return;
  const faults = faultsIn(parsed.error, query, schema);
  context.faults.add(faults);
  const faulty = new Set(faults.map(({ parameter }) => parameter));
  const valid = Object.entries(query).filter(([name]) => Object.hasOwn(schema.shape, name) && !faulty.has(name));
  context.query = Object.fromEntries(valid);
}

function querySchemaOf(type: Type, handler: string): z.ZodObject | undefined {
  const noted = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler) as Record<
    string,
    { readonly schema?: unknown }
  >;
  const [, argument] = Object.entries(noted).find(([key]) => key.startsWith(QUERY)) ?? [];
  return argument?.schema instanceof z.ZodObject ? argument.schema : undefined;
}
