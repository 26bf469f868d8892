// What any publisher's text can suffer on its way, and how it may stand in a message.

/** What a decoder puts in place of bytes that are not UTF-8, and control characters, which no text holds. */
const BROKEN_TEXT = /(?![\t-\r])[\p{Cc}\ufffd]/u;

export const isBrokenText = (text: string): boolean => BROKEN_TEXT.test(text);

/** The text as it may stand in a message: short, on one line, visible where it is blank. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short);
}

/** What a page of HTML or XML says to its reader, for an error message. */
export function wordsOf(markup: string): string {
  const words = markup.replace(/<(style|script)\b.*?(<\/\1>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ');
  return JSON.stringify(words.replace(/\s+/g, ' ').trim().slice(0, 200));
}
