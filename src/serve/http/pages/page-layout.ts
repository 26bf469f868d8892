/** The icon, as a data URL. */
export const ICON =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2016%2016'%3E%3Cpath%20d='M1%2011q3.5-3%207%200t7%200'%20fill='none'%20stroke='%230b62a4'%20stroke-width='2'/%3E%3Cpath%20d='M8%202v5'%20stroke='%2316324a'%20stroke-width='2'/%3E%3C/svg%3E";

/** A page of the documentation, in English. */
export interface DocumentPage {
  readonly path: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

/** Puts a page of the documentation into the design of all pages, which the hall of pages for people has. */
export abstract class DocumentLayout {
  abstract html(page: DocumentPage): string;
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
