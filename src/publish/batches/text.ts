// Checks of publishers' texts, and their form in messages.
import { oneLine } from '../../domain/names/one-line.js';

/** The decoder's replacement for bytes that are not UTF-8, and control characters: no valid text contains them. */
const BROKEN_TEXT = /(?![\t-\r])[\p{Cc}\ufffd]/u;

export const isBrokenText = (text: string): boolean => BROKEN_TEXT.test(text);

const LONGEST_NAME = 500;

/**
 * A register's name on one line, or a description of what is wrong with it. Control characters and line breaks are
 * accepted and removed: one stray character in a row would otherwise stop a whole delivery.
 */
export function registeredName(given: string): { readonly name: string } | { readonly fault: string } {
  if (/[\p{Cs}\ufffd]/u.test(given)) {
    return { fault: `${quoted(given)} holds characters that are broken: is it UTF-8?` };
  }
  const name = oneLine(given);
  if (name === '') return { fault: 'the name is empty' };
  if (name.length > LONGEST_NAME) return { fault: `the name is longer than ${LONGEST_NAME} characters` };
  return { name };
}

/** The text for a message: short, on one line, with blanks made visible. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short);
}

/** The readable text of an HTML or XML page, for an error message. */
export function visibleText(markup: string): string {
  const words = markup.replace(/<(style|script)\b.*?(<\/\1>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ');
  return JSON.stringify(words.replace(/\s+/g, ' ').trim().slice(0, 200));
}
