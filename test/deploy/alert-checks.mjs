import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Checks the alert rules with Prometheus's own tool if it is installed: that they parse, and that their tests pass. */
export function checkAlerts(root) {
  const folder = path.join(root, 'docker/monitoring');
  const rules = parse(readFileSync(path.join(folder, 'alerts.yaml'), 'utf8')).groups.flatMap((group) => group.rules);
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    return { checked: 'skipped, for promtool is not installed', wrong: [] };
  }
  const wrong = [
    ['check', 'alerts.yaml'],
    ['test', 'alerts.test.yaml'],
  ].flatMap(([verb, file]) => {
    const { status, stdout, stderr } = spawnSync('promtool', [verb, 'rules', file], { cwd: folder, encoding: 'utf8' });
    return status === 0 ? [] : `${stdout}${stderr}`.trim().split('\n');
  });
  return { checked: `${rules.length} rules`, wrong };
}
