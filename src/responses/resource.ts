import type { Family } from '../sources/families.js';

/** What a resource declares of itself, once. */
export interface Resource {
  /** First segment of its routes, under the prefix. */
  readonly path: string;
  /** The heading of its operations in the OpenAPI document, and a line about it. */
  readonly tag: string;
  readonly about: string;
  /** A publication that changes this family moves the data version of its answers. */
  readonly family: Family;
}
