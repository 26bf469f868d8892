// runs: in full only
import { Agent } from 'node:http';
import { exhaustively } from '../support/exhaustive.js';
import { startAttacked, type AttackedProcess } from '../support/hostile-process.js';
import { faultyLines } from '../support/log-faults.js';
import { runProbes, type Outcome } from '../support/probe-run.js';
import { readTerrain } from '../support/terrain.js';

/** The long form is `npm run attack -- generated`. */
const REQUESTS = Number(process.env['TIDEMARK_PROPERTY_RUNS'] ?? exhaustively(800, 200));
const SEED = 20_260_101;
const ACCOUNTS = Math.ceil(REQUESTS / 40);

jest.setTimeout(10 * 60_000);

describe('A hostile text, wherever it enters', () => {
  let attacked: AttackedProcess;
  let outcome: Outcome;
  let logged = '';

  beforeAll(async () => {
    attacked = await startAttacked('full', ACCOUNTS);
    const { process: server, keys } = attacked;
    const agent = new Agent();
    const { document, terrain } = await readTerrain({ url: server.url, agent, key: keys[0] ?? '' });
    const before = server.output().length;
    outcome = await runProbes({
      url: server.url,
      keys,
      document,
      terrain,
      seed: SEED,
      count: REQUESTS,
      atOnce: 8,
      onAnswer: () => !server.hasEnded(),
    });
    logged = server.output().slice(before);
  });
  afterAll(() => attacked.close());

  it('ends no process', () => {
    expect({ ended: attacked.process.hasEnded(), answered: outcome.answered }).toEqual({
      ended: false,
      answered: REQUESTS,
    });
  });

  it('gets a response that matches the schema, never an internal error, and is never interpreted as a template', () => {
    expect(outcome.findings).toEqual([]);
  });

  it('writes no alarming or broken log line', () => {
    const shed = outcome.statuses.has('503');
    expect(faultyLines(logged, shed)).toEqual([]);
  });

  it('is sometimes refused and sometimes accepted, and seldom refused by a limit', () => {
    const count = (status: number): number => outcome.statuses.get(String(status)) ?? 0;
    expect(count(200)).toBeGreaterThan(REQUESTS / 10);
    expect(count(400)).toBeGreaterThan(REQUESTS / 10);
    expect(count(429)).toBeLessThan(REQUESTS / 10);
  });
});
