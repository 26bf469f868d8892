// runs: in full only
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoppedClock } from '../../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { describeWithAllSharedData } from '../../support/shared-data.js';
import { importSharedData } from '../../support/shared-import.js';
import { callsPerQuestion, evaluate, table, type Evaluation, type Question } from './evaluate.js';

const NOW = '2026-11-22T10:00:00Z';
const questionsIn = (file: string): Question[] => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as Question[];

// The suite stores the publishers' whole files.
jest.setTimeout(1_800_000);

/** A running service that answers questions, each with calls of a fresh account's budget. */
function useService(open: () => Promise<TestDatabase>) {
  let database: TestDatabase;
  let service: TestServer;
  beforeAll(async () => {
    database = await open();
    service = await startTestServer({ database, clock: new StoppedClock(NOW) });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  return async (questions: readonly Question[]): Promise<Evaluation[]> => {
    const evaluations: Evaluation[] = [];
    let key = '';
    for (const [index, question] of questions.entries()) {
      if (index % 40 === 0) key = await service.key();
      evaluations.push(await evaluate(service.url, key, question));
    }
    return evaluations;
  };
}

describe('An assistant on the small fixtures', () => {
  const ask = useService(() => createTestDatabase('full'));

  it('answers every question, each in one call', async () => {
    const evaluations = await ask(questionsIn('small-questions.json'));
    expect(evaluations.filter(({ mark }) => mark !== 'ok')).toEqual([]);
    expect(evaluations.length).toBeGreaterThanOrEqual(12);
    expect(callsPerQuestion(evaluations)).toBe(1);
  });
});

describeWithAllSharedData("An assistant on the publishers' own files", () => {
  const ask = useService(async () => {
    const database = await createTestDatabase();
    await importSharedData(database, new Date(NOW));
    return database;
  });

  it('answers 95 of 100 questions, none wrongly, in at most 1.3 calls on average', async () => {
    const files = ['questions.json', 'blind-questions.json'];
    const evaluations = await ask(files.flatMap(questionsIn));
    process.stdout.write(`${table(evaluations)}\n`);
    const ok = evaluations.filter(({ mark }) => mark === 'ok').length;
    expect(evaluations.length).toBeGreaterThanOrEqual(60);
    expect(evaluations.filter(({ mark }) => mark === 'wrong')).toEqual([]);
    expect(ok / evaluations.length).toBeGreaterThanOrEqual(0.95);
    expect(callsPerQuestion(evaluations)).toBeLessThanOrEqual(1.3);
  });
});
