// Reads one response of e-Stat's getStatsData (version 3, JSON) as a stream: the head, then each value.
import { jsonParts, type JsonLayout } from '../../batches/json-parts.js';

export interface ResponsePart {
  readonly key: string;
  /** Numbers are texts, as printed. */
  readonly value: unknown;
}

/** Objects that are entered; every other member is one part, and so is each value. */
const ENTERED: readonly unknown[] = [undefined, 'GET_STATS_DATA', 'STATISTICAL_DATA', 'DATA_INF'];

const RESPONSE: JsonLayout = {
  enters: (path, bracket) => (bracket === 'startArray' ? path.at(-1) === 'VALUE' : ENTERED.includes(path.at(-1))),
  refusal: 'not a response of e-Stat',
  numberAsString: true,
};

export async function* responseParts(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ResponsePart> {
  for await (const parts of jsonParts(chunks, file, RESPONSE)) {
    for (const { path, value } of parts) yield { key: String(path.findLast(isKey)), value };
  }
}

const isKey = (step: string | number): boolean => typeof step === 'string';
