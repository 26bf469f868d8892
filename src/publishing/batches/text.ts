// What any publisher's text can suffer on its way, and how it may stand in a message.
import { oneLine } from '../../names/one-line.js';

/** What a decoder puts in place of bytes that are not UTF-8, and control characters, which no text holds. */
const BROKEN_TEXT = /(?![\t-\r])[\p{Cc}\ufffd]/u;

export const isBrokenText = (text: string): boolean => BROKEN_TEXT.test(text);

const LONGEST_NAME = 500;

/**
 * A register's name on one line, or what is wrong with it. Control characters and line breaks are no fault: a row with a stray
 * one would stop a whole delivery, and on one line it is the name all the same.
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

/** The text as it may stand in a message: short, on one line, visible where it is blank. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short);
}

/** What a page of HTML or XML says to its reader, for an error message. */
export function visibleText(markup: string): string {
  const words = markup.replace(/<(style|script)\b.*?(<\/\1>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ');
  return JSON.stringify(words.replace(/\s+/g, ' ').trim().slice(0, 200));
}
