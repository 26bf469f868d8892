/** Where in a publisher's file something stands, for the person who has to mend it. */
export interface Place {
  readonly file: string;
  /** From 1; a page's row for paged JSON. */
  readonly line: number;
  readonly column: string;
}
