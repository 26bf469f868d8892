import { z } from 'zod';
import type { NotFoundReason } from './api-error.js';

/**
 * The 404 for a path segment of this schema that names nothing. Outside the schema, so that the OpenAPI document
 * omits it.
 */
export const NAMED = z.registry<{ readonly reason: NotFoundReason }>();
