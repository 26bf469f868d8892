import answers from './openapi-examples.json' with { type: 'json' };

// Real answers from the small figures of the test suites, shortened to two items a list. The contract suite
// asks the same questions again and fails when an answer has changed.

/** Stands for the service's own address in the kept answers. */
export const BASE = 'https://tidemark.example';

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** The example answers of an operation by name, with this service's addresses in them. */
export function exampleAnswers(operation: string, baseUrl: string): Record<string, Example> {
  const kept = (answers as Record<string, Record<string, Example>>)[operation] ?? {};
  return JSON.parse(JSON.stringify(kept).replaceAll(BASE, baseUrl)) as Record<string, Example>;
}
