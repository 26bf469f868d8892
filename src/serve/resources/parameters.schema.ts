import { z } from 'zod';
import { invalidParameter } from '../../domain/errors/api-error.js';
import { firstDayOf, inNearYear, isCalendarDay, isPeriod, lastDayOf } from '../../domain/figures/periods.js';
import { languageCodes } from '../../domain/locale/language-names.js';
import { LOCALES } from '../../domain/locale/locale.js';

// Parameters that several routes take, described once.

export const locale = z.enum(LOCALES).default('en').describe(`Language of the response: ${languageCodes()}`);

/** For a route with no other parameter. */
export const LocaleQuery = z.strictObject({ locale });

/** @param stated the maximum in the error, where a larger one needs another parameter */
const count = (most: number, stated = most) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= most, {
      params: { reason: 'not_a_count', args: { limit: stated } },
    })
    .transform(Number);

/** A whole number written in digits, described as the number that it becomes. */
export const countOf = (most: number, usual: number) =>
  count(most).default(usual).meta({ type: 'integer', minimum: 1, maximum: most, default: usual });

/** The same without a default. */
export const optionalCountOf = (most: number) =>
  count(most).optional().meta({ type: 'integer', minimum: 1, maximum: most });

export const paging = {
  limit: countOf(100, 20).describe('Items per page'),
  cursor: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('`meta.page.nextCursor` of the previous page; valid only for the same route and filters'),
};

const MOST_A_PAGE = 100;
const MOST_COPIED = 1_000;

/** Of lists with `publishedSince`: a copy takes larger pages. The service calls `requireLimit`. */
export const copyPaging = {
  ...paging,
  limit: count(MOST_COPIED, MOST_A_PAGE)
    .default(20)
    .describe(`Items per page; with \`publishedSince\` up to ${MOST_COPIED}`)
    .meta({ type: 'integer', minimum: 1, maximum: MOST_A_PAGE, default: 20 }),
};

/** @throws ApiError `invalid_parameter` for a long page without `publishedSince` */
export function requireLimit(query: { readonly limit: number; readonly publishedSince?: string | undefined }): void {
  if (query.limit > MOST_A_PAGE && query.publishedSince === undefined)
    throw invalidParameter({ parameter: 'limit', reason: 'not_a_count', args: { limit: MOST_A_PAGE } });
}

/** Lower-case words and digits joined by hyphens: slugs and keys. */
export const slug = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9-]+$/);

/** A name of an economy passes too: `resolveRegions` answers it with the code. */
export const regionCode = z
  .string()
  .min(2)
  .max(60)
  .regex(/^[\p{L}\p{N} .,’'-]+$/u)
  .transform((code) => code.toUpperCase())
  .meta({ maxLength: 3, pattern: '^[A-Za-z0-9]+$', examples: ['JP'] });

export const MOST_IN_LIST = 30;

/** Several values separated by commas, in their order, each once. */
export function sequenceOfItems<Item extends z.ZodType<string, string>>(
  item: Item,
  { most, longest }: { readonly most: number; readonly longest: number },
) {
  return z
    .string()
    .max(most * longest)
    .transform((text) => text.split(',').map((one) => one.trim()))
    .superRefine((all, context) => {
      if (all.length <= most) return;
      context.addIssue({ code: 'custom', params: { reason: 'list_maximum', args: { limit: most } } });
    })
    .pipe(z.array(item))
    .transform((all) => [...new Set(all)]);
}

/** Several values separated by commas; order and repetition do not matter. */
export const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  sequenceOfItems(item, { most: MOST_IN_LIST, longest: 20 }).transform((all) => all.toSorted());

/** One or several region codes. */
export const regionCodes = listOf(regionCode).meta({ type: 'string', examples: ['JP', 'DE,FR,IT'] });

const MOST_CHARACTERS = 200;

/** Search words: 1..200 code points after NFKC and trimming; control characters become spaces. */
export const searchText = z
  .string()
  .transform((text) =>
    text
      .normalize('NFKC')
      .replace(/\p{Cc}/gu, ' ')
      .trim(),
  )
  .superRefine((text, context) => {
    const { length } = Array.from(text);
    if (length > 0 && length <= MOST_CHARACTERS) return;
    context.addIssue({
      code: 'custom',
      params:
        length === 0
          ? { reason: 'length_minimum', args: { limit: 1 } }
          : { reason: 'length_maximum', args: { limit: MOST_CHARACTERS } },
    });
  })
  .meta({ minLength: 1, maxLength: MOST_CHARACTERS, examples: ['inflation'] });

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/;

export const day = z
  .string()
  .max(10)
  .refine(isCalendarDay, { params: { reason: 'not_a_day' } })
  .meta({ format: 'date' });

/** Beyond every published figure, and within the range of period arithmetic. */
export const EARLIEST = '1500';
export const LATEST = '2499';

/** A bound outside this range is clamped: it selects the same figures. */
function withinReach(text: string): string {
  const year = text.replace('FY', '').slice(0, 4);
  if (year < EARLIEST) return EARLIEST;
  return year > LATEST ? LATEST : text;
}

/** A reference period of any frequency, including a day. */
export const period = z
  .string()
  .max(10)
  .refine((text) => isPeriod(inNearYear(text)), { params: { reason: 'not_a_period' } })
  .transform(withinReach);

/** A day, or an instant with its UTC offset. */
export const moment = z
  .string()
  .max(40)
  .refine(
    (text) =>
      isCalendarDay(text) ||
      (INSTANT.test(text) && isCalendarDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))),
    { params: { reason: 'not_a_moment' } },
  );

/** For copies: what was published or corrected at or after a moment. */
export const publishedSince = moment.optional().meta({ examples: ['2026-11-01', '2026-11-01T12:00:00Z'] });

/** Of one subject with a page of its changes. */
export const changesSince = publishedSince.describe(
  'Only changes that were published, corrected or newly worded at or after this day or instant',
);

/** An inclusive bound as an instant. */
export function lowerBound(text: string): Date {
  return new Date(isCalendarDay(text) ? `${text}T00:00:00Z` : text);
}

export function optionalLowerBound(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : lowerBound(text);
}

/** An upper bound as an exclusive instant: a day includes its end. */
export function upperBound(text: string): Date {
  const at = lowerBound(text);
  return isCalendarDay(text) ? new Date(at.getTime() + 86_400_000) : at;
}

/** @throws ApiError `invalid_parameter` if the start of a window lies after its end */
export function requireOrder(from: string, start: string | undefined, to: string, end: string | undefined): void {
  if (start === undefined || end === undefined) return;
  const last = upperBound(end).getTime() - (isCalendarDay(end) ? 1 : 0);
  if (lowerBound(start).getTime() > last) {
    throw invalidParameter({ parameter: from, reason: 'after_end', args: { end: to } });
  }
}

/** @throws ApiError `invalid_parameter` for a day after today */
export function requirePast(parameter: string, sent: string | undefined, today: string): void {
  if (sent !== undefined && sent > today) throw invalidParameter({ parameter, reason: 'in_the_future' });
}

/** The same for a window of reference periods, which may be of different frequencies. */
export function requirePeriodOrder(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && firstDayOf(from) > lastDayOf(to)) {
    throw invalidParameter({ parameter: 'from', reason: 'after_end', args: { end: 'to' } });
  }
}
