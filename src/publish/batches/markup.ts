// Reads publishers' pages (HTML) and documents (XML) as trees of elements.
import { DomUtils, parseDocument } from 'htmlparser2';

type Document = ReturnType<typeof parseDocument>;
export type MarkupElement = ReturnType<typeof DomUtils.findAll>[number];

export const htmlDocument = (text: string): Document => parseDocument(text);
export const xmlDocument = (text: string): Document => parseDocument(text, { xmlMode: true });

/** The elements that fit, in the order of the document, those inside of others included. */
export const elementsOf = (
  within: Document | MarkupElement,
  fits: (element: MarkupElement) => boolean,
): MarkupElement[] => DomUtils.findAll(fits, within.children);

/** The visible text on one line. */
export const textOf = (element: MarkupElement): string => DomUtils.textContent(element).replace(/\s+/g, ' ').trim();

export const isHeading = ({ name }: MarkupElement): boolean => /^h[1-6]$/.test(name);

/** The texts of a table row's cells. */
export const cellTexts = (row: MarkupElement): string[] =>
  elementsOf(row, ({ name }) => name === 'td' || name === 'th').map(textOf);
