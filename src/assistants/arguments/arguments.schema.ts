import { z } from 'zod';
import { LOCALES } from '../../domain/locale/locale.js';
import { CHANGE_ORDERS } from '../../serve/resources/changes/change.schema.js';
import { moment } from '../../serve/resources/parameters.schema.js';
import { slugsOf } from './known-names.js';

// Arguments of several tools. The descriptions are for a model: an example, and the effect of omitting the argument.

export const localeArgument = z.enum(LOCALES).default('en');

export const cursor = z.string().min(1).max(200).optional().describe('nextCursor of the previous result');

/** Of a result with a cursor. */
export const nextPage = z.looseObject({ nextCursor: z.string().nullable() });

/** Of a result whose days the tool may have chosen. */
export const window = z.looseObject({ from: z.string(), to: z.string() }).optional();

export const changeOrder = z.enum(CHANGE_ORDERS).default('newest');

export const limitOf = (most: number, usual: number) => z.number().int().min(1).max(most).default(usual);

/** Names or codes, which the resolver turns into codes. */
export const namedCountries = z.string().min(1).max(600).optional().describe('JP, Germany, EMU');
/** What something is called. */
export const nameArgument = z.string().min(1).max(200);

export const coverage = nameArgument.optional().describe(slugsOf('coverage'));
export const topic = nameArgument.optional().describe(slugsOf('topic'));

export const since = moment.optional().describe('Happened or retrieved on or after, whatever its period: 2026-05-01');
export const until = moment.optional().describe('The same, on or before');
export const sincePublication = moment.optional().describe('Published here on or after');
