import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownMember } from '../../../domain/names/own-member.js';

/** The same relative path from src/ and from dist/. */
const FILE = join(import.meta.dirname, '../../../../data/openapi-examples.json');

// The examples are responses to the figures of the test suites, shortened to two items a list. The contract suite sends
// the same requests again and fails when a response has changed.

/** Placeholder of the base URL in the file. */
export const BASE = 'https://tidemark.example';

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

const EXAMPLES = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Record<string, Example>>;

/** The example responses of an operation by name, with this service's base URL. */
export function exampleResponses(operation: string, baseUrl: string): Record<string, Example> {
  const examples = JSON.stringify(ownMember(EXAMPLES, operation) ?? {});
  return JSON.parse(examples.replaceAll(BASE, baseUrl)) as Record<string, Example>;
}
