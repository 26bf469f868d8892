// runs: in full only
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { processesIn, start, STARTED, untilPrinted } from './first-start.mjs';
import { exhaustively, itInFull } from '../support/exhaustive.js';

const LOADING = 'Loading the starter figures';
const MINUTES = 300_000;

describe('A first start', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'first-start-'));
    chmodSync(dataDir, 0o755);
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const noProcess = () => until(20_000, 'the last process', () => Promise.resolve(processesIn(dataDir).length === 0));

  it.each([
    ['it is killed', 'SIGKILL'],
    ['its terminal closes', 'SIGHUP'],
  ] as const)('leaves no process when %s', async (_, signal) => {
    await start(dataDir, {}, async (child, output) => {
      await untilPrinted(child, output, LOADING);
      child.kill(signal);
    });
    await noProcess();
  });

  it.each(exhaustively<readonly ('SIGTERM' | 'SIGINT')[]>(['SIGTERM', 'SIGINT'], ['SIGINT']))(
    'ends on %s before its figures are loaded, and leaves no process',
    async (signal) => {
      const { code, output } = await start(dataDir, {}, async (child, printed) => {
        await untilPrinted(child, printed, LOADING);
        child.kill(signal);
      });
      // Also the second one still has figures to load: the first did not load them after its signal.
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(LOADING) as string });
      expect(output).not.toContain(STARTED);
      await noProcess();
    },
  );

  itInFull(
    'goes on where an interrupted one ended',
    async () => {
      const { code, output } = await start(dataDir, {}, async (child, printed) => {
        await untilPrinted(child, printed, STARTED);
        child.kill('SIGINT');
      });
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(STARTED) as string });
      await noProcess();
    },
    MINUTES,
  );

  it('refuses a taken port in one line, before it makes a database', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const fresh = join(dataDir, 'fresh');
    const { code, output } = await start(fresh, { PORT: String(port) });
    other.close();
    expect({ code, output }).toEqual({
      code: 1,
      output: `tidemark: port ${String(port)} is taken: stop what listens there, or set PORT to another\n`,
    });
  });

  it('names a folder that cannot be made, and the variable that a misspelt one resembles', async () => {
    const impossible = join(__filename, 'data');
    const { code, output } = await start(impossible, { DATABSE_URL: 'postgres://127.0.0.1/other' });
    const [misspelt, folder, ...rest] = output.split('\n');
    expect(misspelt).toBe(
      'tidemark: DATABSE_URL is not a variable of Tidemark and is ignored: did you mean DATABASE_URL?',
    );
    expect(folder).toContain(`tidemark: ${impossible} cannot be written: set DATA_DIR`);
    expect({ code, rest }).toEqual({ code: 1, rest: [''] });
  });
});
