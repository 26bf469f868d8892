// runs: in full only
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '@tidemark/embedded-postgres';
import { itInFull } from '../support/exhaustive.js';

const CLI = join(__dirname, '../../dist/cli.js');

/** The operator's command as a separate process, on an embedded database of the suite. */
describe('npx tidemark', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidemark-cli-'));
  });
  afterAll(async () => {
    await removeEmbeddedPostgres(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const run = (args: string[], environment: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...environment },
    });
    return { status, stdout, stderr };
  };

  it('never creates a database for a command that does not fill one, and names the folder without one', () => {
    const { status, stdout, stderr } = run(['accounts', 'list']);
    expect([status, stdout, readdirSync(dataDir)]).toEqual([1, '', []]);
    expect(stderr).toBe(
      `tidemark: no Tidemark in ${dataDir}: \`tidemark migrate\` creates its database; DATA_DIR or DATABASE_URL names another\n`,
    );
    const file = join(__dirname, '../fixtures/calendar/us-gdp.csv');
    const rehearsed = run(['import', 'releases', file, '--dry-run']);
    expect([rehearsed.status, rehearsed.stderr, readdirSync(dataDir)]).toEqual([1, stderr, []]);
    const migrated = run(['migrate']);
    expect(migrated.status).toBe(0);
    expect(migrated.stderr).toContain(`database: ${dataDir}, embedded\n`);
  });

  it('shows the database, the data version and what is due', () => {
    const shown = run(['status']);
    expect([shown.status, shown.stdout.split('\n').slice(0, 4)]).toEqual([
      0,
      [
        expect.stringMatching(/^PostgreSQL {4}\d+\.\d+$/) as string,
        'data version  nothing is published',
        '',
        expect.stringMatching(/^PUBLISHER +NEWEST FIGURE +SYNC$/) as string,
      ],
    ]);
    expect(JSON.parse(run(['status', '--json']).stdout)).toMatchObject({
      database: `${dataDir}, embedded`,
      dataVersion: null,
      held: [],
    });
  });

  it('refuses to delete without --yes where nobody can be asked', () => {
    const refused = run(['sources', 'withhold', 'bls']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('confirm it with --yes')]);
    expect(run(['sources', 'withhold', 'bsl', '--yes']).status).toBe(1);
  });

  it('ends without an error when the reader of its output does', () => {
    const script = `'${process.execPath}' '${CLI}' --help | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });

  itInFull('publishes all of an import whose reader has gone', () => {
    const file = join(__dirname, '../fixtures/calendar/us-gdp.csv');
    const script = `'${process.execPath}' '${CLI}' import releases '${file}' 2>&1 | true; echo "\${PIPESTATUS[0]}"`;
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8', env }).stdout).toBe('0\n');
    const { reports } = JSON.parse(run(['import', 'releases', file, '--json']).stdout) as {
      readonly reports: readonly { readonly outcome: string }[];
    };
    expect(new Set(reports.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']));
  });

  it('prints its version', () => {
    expect(run(['--version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    });
  });

  it('names the nearest values of an option and of an argument', () => {
    const plan = run(['accounts', 'set-plan', '--account', 'ada@example.com', '--plan', 'proo']);
    expect([plan.status, plan.stderr]).toEqual([2, expect.stringContaining('Did you mean pro?')]);
    const publisher = run(['import', 'worldbnk', 'x']);
    expect([publisher.status, publisher.stderr]).toEqual([
      2,
      expect.stringMatching(/^tidemark: .*Did you mean worldbank\?/),
    ]);
  });

  it.each([
    [['accounts', 'set-plan', '--account', 'ada@example.com', '--plan', 'proo'], 2, 'usage'],
    [['accounts'], 2, 'usage'],
    [['accounts', 'shwo'], 2, 'usage'],
    [['sources', 'withhold', 'bls'], 2, 'usage'],
    [['import', 'worldbank', '/nowhere/at/all'], 1, 'failed'],
  ])('prints the error of %p as one document and nothing else with --json', (args, exitCode, code) => {
    const { status, stdout, stderr } = run([...args, '--json']);
    expect([status, stderr]).toEqual([exitCode, '']);
    expect(JSON.parse(stdout)).toEqual({
      error: { code, message: expect.stringMatching(/^(?!error:|\()./) as string },
    });
  });

  it('reports a mistake in the environment in one line, without a stack, and exits with 2', () => {
    const { status, stderr } = run(['accounts', 'list'], { REDIS_URL: 'http://x' });
    expect(status).toBe(2);
    expect(stderr.trim()).toBe(
      'tidemark: REDIS_URL: must begin with redis:// or rediss://, or with redis+sentinel:// or redis+cluster:// for several hosts',
    );
  });

  it.each([[['--help']], [['import', '--help']], [['accounts', 'create', '--help']], [['keys', '--help']]])(
    'prints help for %p',
    (args) => {
      const { status, stdout } = run(args);
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: tidemark');
    },
  );

  it('creates an account and a key, shows the key once, and lists its first characters', () => {
    const made = run(['accounts', 'create', '--account', 'Ada@Example.com', '--plan', 'pro']);
    expect([made.status, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^ACCOUNT +PLAN {2}STATUS {2}SIGNED UP\nada@example\.com {2}pro {3}active {2}now\n$/),
    ]);
    const key = run(['keys', 'create', '--account', 'ada@example.com', '--name', 'first']);
    expect(key.stdout.trim()).toMatch(/^tm_[0-9A-Za-z]{36}$/);
    const listed = run(['keys', 'list', '--account', 'ada@example.com', '--json']);
    expect(listed.stdout).not.toContain(key.stdout.trim());
    expect(JSON.parse(listed.stdout)).toMatchObject({
      keys: [{ name: 'first', prefix: key.stdout.slice(0, 8), revokedAt: null }],
    });
  });

  it.each([
    ['a name that would write to the terminal', ['keys', 'create', '--account', 'a@b.c', '--name', '\u001b[31m'], 1],
    ['a time that is none', ['accounts', 'create', '--account', 'b@c.d', '--plan', 'free', '--signed-up', '1'], 2],
    ['a plan that is none', ['accounts', 'create', '--account', 'b@c.d', '--plan', 'gold'], 2],
    ['an account that is none', ['keys', 'create', '--account', 'nobody@example.com'], 1],
    ['an empty reason', ['changes', 'withdraw', 'chg_x', '--reason', ' '], 2],
    ['a limit that is none', ['versions', 'list', '--limit', '0'], 2],
    ['a file that is none', ['import', 'worldbank', '/nowhere/at/all'], 1],
  ])(
    'refuses %s',
    (_, args, status) => {
      const refused = run(args);
      expect(refused.status).toBe(status);
      expect(refused.stderr).not.toMatch(/^\s+at /m);
      expect(refused.stderr.trim()).not.toBe('');
    },
    30_000,
  );
});
