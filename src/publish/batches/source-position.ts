/** A position in a publisher's file, for error messages. */
export interface SourcePosition {
  readonly file: string;
  /** From 1; a page's row for paged JSON. */
  readonly line: number;
  readonly column: string;
}
