// Quotes texts from registers and users for a model: on one line and without Markdown.
import { ApiError, type ParameterFault } from '../../domain/errors/api-error.js';
import { oneLine } from '../../domain/names/one-line.js';

/** Links, images, HTML, emphasis, code, tables, and URLs that clients link automatically. */
const MARKUP = /[[\]<>`*_~|\\]|:\/\/|www\.|@/i;

const withoutMarks = (text: string): string => oneLine(text).replaceAll('`', "'");

/** A name in a code span that it cannot end. */
export function codeSpan(text: string): string {
  return `\`${withoutMarks(text)}\``;
}

/** One of our sentences that may contain a name: unchanged, or as one code span if it contains markup. */
export function inert(text: string): string {
  return MARKUP.test(text) ? codeSpan(text) : text;
}

/** The error with all texts of the caller made safe for code spans. */
export function withQuotedEchoes(error: ApiError): ApiError {
  const { faults, args, ...details } = error.details;
  if (faults === undefined && args === undefined) return error;
  return new ApiError(
    error.code,
    { ...details, ...(args && { args: quotedArgs(args) }), ...(faults && { faults: faults.map(quotedFault) }) },
    { cause: error.cause },
  );
}

function quotedFault({ parameter, args, ...fault }: ParameterFault): ParameterFault {
  return { ...fault, parameter: withoutMarks(parameter), ...(args && { args: quotedArgs(args) }) };
}

function quotedArgs(args: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? withoutMarks(value) : value]),
  );
}
