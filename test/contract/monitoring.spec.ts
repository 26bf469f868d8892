import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { startTestServer, type TestServer } from '../support/server.js';

const ROOT = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const rules = (parse(read('docker/monitoring/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read('docker/monitoring/dashboard.json')) as Dashboard;
const page = read('docs/how-to/monitoring.md');

const metricsIn = (text: string): string[] => text.match(/\b(?:tidemark|nodejs|process)_[a-z0-9_]+/g) ?? [];

describe('The set of metrics', () => {
  let database: TestDatabase;
  let service: TestServer;
  let told: ReadonlyMap<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const port = await freePort();
    service = await startTestServer({
      database,
      // A replica and a Redis are configured, so that their metrics exist.
      connections: { ...database.connections, replicas: [database.connections.to('api')] },
      environment: { METRICS_PORT: String(port), REDIS_URL: `redis://127.0.0.1:${String(await freePort())}` },
    });
    const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    told = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type = '']) => [name, type]));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const series = (): Set<string> =>
    new Set(
      [...told].flatMap(([name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );

  it('contains every metric of the alert rules and the dashboard', () => {
    const panels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const asked = [...rules.map(({ expr }) => expr), ...panels];
    expect(asked.length).toBeGreaterThan(40);
    const known = series();
    for (const expr of asked) {
      expect({ expr, metrics: metricsIn(expr).length > 0 || expr.startsWith('up{') }).toEqual({ expr, metrics: true });
      expect({ expr, unknown: metricsIn(expr).filter((name) => !known.has(name)) }).toEqual({ expr, unknown: [] });
    }
  });

  it('equals the list in docs/how-to/monitoring.md', () => {
    const documented = new Set(
      [...page.matchAll(/^\| (`tidemark_.*?) +\|/gm)].flatMap(([, cell = '']) => metricsIn(cell)),
    );
    const own = [...told.keys()].filter((name) => name.startsWith('tidemark_'));
    expect([...documented].sort()).toEqual(own.sort());
  });

  it('has a meaning, a severity and an action for each alert', () => {
    const toDo = read('docs/how-to/alerts.md');
    const listed = [...page.matchAll(/^\| `(Tidemark\w+)` +\| (\w+)/gm)].map(([, name, grave]) => [name, grave]);
    expect(listed).toHaveLength(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(listed).toContainEqual([alert, labels.severity]);
      expect(annotations.runbook).toBe(`docs/how-to/alerts.md#${alert.toLowerCase()}`);
      expect({ alert, toDo: toDo.includes(`\n### ${alert}\n`) }).toEqual({ alert, toDo: true });
    }
  });

  it('has a test for each alert, in which the alert fires and recovers', () => {
    const { tests } = parse(read('docker/monitoring/alerts.test.yaml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const tried = tests.flatMap(({ alert_rule_test: one }) => one);
    for (const { alert } of rules) {
      const ends = tried
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts: fired }) => (fired.length > 0 ? 'fires' : 'rests'));
      expect({ alert, ends: [...new Set(ends)].sort() }).toEqual({ alert, ends: ['fires', 'rests'] });
    }
  });
});
