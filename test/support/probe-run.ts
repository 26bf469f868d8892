import { Agent } from 'node:http';
import fc from 'fast-check';
import type { Document } from '../contract/document.js';
import { probes, type Probe, type Terrain } from './hostile-probes.js';
import { HttpChecker } from './http-checker.js';
import { mcpFaults } from './mcp-faults.js';
import { send, type WireAnswer } from './wire.js';

export interface Finding {
  readonly place: string;
  readonly asked: string;
  readonly status: number;
  readonly fault: string;
}

export interface Run {
  readonly url: string;
  readonly keys: readonly string[];
  readonly document: Document;
  readonly terrain: Terrain;
  readonly seed: number;
  readonly count: number;
  readonly atOnce: number;
  /** Called after each request; the run ends early if it returns false. */
  readonly onAnswer?: (answered: number) => boolean;
}

export interface Outcome {
  readonly statuses: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  readonly answered: number;
}

/** The number of requests that are generated together; each group has its own seed. */
const LOT = 500;
/** While it is being sent, Node closes the connection of a request that it refuses to read. */
const LARGEST_HEAD = 8_192;
const CUT_WHILE_SENT = ['ECONNRESET', 'EPIPE', 'closed'];

/** Sends generated requests, some of them concurrently, and checks each response. */
export async function runProbes(run: Run): Promise<Outcome> {
  const { count, atOnce, seed, terrain, onAnswer = () => true } = run;
  const checker = new HttpChecker(run.document);
  const agent = new Agent({ keepAlive: true });
  const [statuses, places, findings] = [new Map<string, number>(), new Map<string, number>(), [] as Finding[]];
  const raise = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  let [made, answered, goesOn]: [number, number, boolean] = [0, 0, true];
  let lot: Probe[] = [];
  const next = (): Probe | undefined => {
    if (!goesOn || made === count) return undefined;
    if (lot.length === 0) lot = fc.sample(probes(terrain), { numRuns: LOT, seed: seed + made });
    made += 1;
    return lot.pop();
  };
  const worker = async (): Promise<void> => {
    for (let probe = next(); probe !== undefined; probe = next()) {
      const key = run.keys[made % run.keys.length] ?? '';
      const answer = await send(probe, { url: run.url, agent, key, from: senderOf(probe, made) });
      answered += 1;
      raise(statuses, answer.cut === undefined ? String(answer.status) : `cut: ${answer.cut}`);
      raise(places, probe.place);
      const faults = faultsOf(checker, probe, answer);
      findings.push(
        ...faults.map((fault) => ({
          place: probe.place,
          asked: askedOf(probe).slice(0, 400),
          status: answer.status,
          fault,
        })),
      );
      goesOn = onAnswer(answered);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
  return { statuses, places, findings, answered };
}

/** Wrong keys come from many addresses, and pages are opened from many, so that the service serves more than a minute's. */
function senderOf({ place, headers }: Probe, at: number): string {
  const guesses = place === 'page' || 'authorization' in headers || 'x-api-key' in headers;
  return guesses ? `127.0.${1 + (Math.floor(at / 250) % 200)}.${1 + (at % 250)}` : '127.0.0.1';
}

function faultsOf(checker: HttpChecker, probe: Probe, answer: WireAnswer): string[] {
  const known = askedOf(probe);
  if (answer.cut !== undefined) {
    const long = known.length > LARGEST_HEAD && CUT_WHILE_SENT.includes(answer.cut);
    // Node closes the connection of a client that requests a tunnel.
    const tunnel = known.startsWith('CONNECT ') && answer.cut === 'closed';
    return long || tunnel ? [] : [`the connection ended without an answer: ${answer.cut}`];
  }
  const { method, target, bytes } = probe;
  if (target === '/api/v1/mcp' && bytes === undefined) return mcpFaults({ method, known }, answer);
  // The bytes may contain another URL than the request that they come from.
  const asked = bytes === undefined || answer.status === 200 ? target : '/api/v1';
  const isPage = bytes !== undefined && !(answer.headers['content-type'] ?? '').includes('json');
  if (isPage && answer.status < 400) return [];
  return checker.faults({ method, target: asked, more: known }, answer);
}

export const askedOf = ({ method, target, headers, body = '', bytes }: Probe): string =>
  bytes ??
  [`${method} ${target}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), body].join('\n');
