import type { CatalogueFault } from '../../domain/catalogue/catalogue-files.js';

export const faultLine = ({ file, entry, reason }: CatalogueFault): string =>
  `${file}: ${entry === null ? '' : `${entry}: `}${reason}`;

/** The catalogue has faults: nothing is imported, and no server starts, until they are corrected. */
export class CatalogueError extends Error {
  constructor(readonly faults: readonly CatalogueFault[]) {
    const [first] = faults;
    const others = faults.length - 1;
    const more = others > 0 ? `; ${others} more fault${others > 1 ? 's' : ''}: tidemark catalogue check` : '';
    super(`the catalogue is wrong: ${first === undefined ? '' : faultLine(first)}${more}`);
    this.name = 'CatalogueError';
  }
}
