// The output of a cluster during a drill, to explain an unmet check.

/** @returns {string[]} lines */
export function storyOf({ instances, balancer }) {
  const lines = instances.map((one) => `${one.name}: ${saidBy(one)}`);
  return balancer === null ? lines : [...lines, `nginx: ${metBy(balancer)}`];
}

/** An instance's own errors and states, most frequent first. */
function saidBy(instance) {
  const counts = new Map();
  for (const { level, message, error } of instance.log()) {
    if (level === 'info') continue;
    const line = `${message} ${typeof error === 'string' ? error.split('\n', 1)[0] : ''}`.trim();
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 5);
  return most.map(([line, count]) => `${count} × ${line}`).join('; ') || 'nothing';
}

/** nginx's upstream errors for responses with an error. */
function metBy(balancer) {
  const counts = {};
  for (const line of balancer.output().split('\n')) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { status, upstreamStatus } = JSON.parse(line);
    if (status >= 500) counts[upstreamStatus] = (counts[upstreamStatus] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}
