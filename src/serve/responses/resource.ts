import type { Family } from '../../domain/sources/families.js';

/** What a resource declares about itself, once. */
export interface Resource {
  /** First segment of its routes, after the prefix. */
  readonly path: string;
  /** The tag of its operations in the OpenAPI document, with its description. */
  readonly tag: string;
  readonly about: string;
  /**
   * A publication that changes this family moves the data version of the resource's responses; `series`: one that changes a
   * series that the response cites.
   */
  readonly family: Family | 'series' | 'catalogue';
}
