/** Where text is printed. */
export interface Screen {
  /** Columns of the terminal; null: not a terminal, so that nothing is cut off. */
  readonly width: number | null;
  readonly isColoured: boolean;
}

export const PLAIN_SCREEN: Screen = { width: null, isColoured: false };
