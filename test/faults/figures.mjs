// `node test/faults/figures.mjs FILE…`: prints the output of `npm run drill -- --json FILE` as the tables of
// docs/explanation/reliability.md.
import { readFileSync } from 'node:fs';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('Which file? Write one with: npm run drill -- --json FILE');
  process.exit(2);
}
console.log(files.map((file) => sectionOf(JSON.parse(readFileSync(file, 'utf8')))).join('\n\n'));

function sectionOf({ date, command, versions, cores, load, short, drills }) {
  const { tidemark, node, postgresql, redis, nginx, linux } = versions;
  const on = `Node ${node}, PostgreSQL ${postgresql}, Redis ${redis}, nginx ${nginx}, Linux ${linux}, ${cores} cores`;
  const head = `Tidemark ${tidemark}, ${date.slice(0, 10)}, \`${command.replace(/ --json \S+/, '')}\`${short ? ' (short form)' : ''}. ${on}, load average ${load.toFixed(1)} over the last 15 minutes.`;
  const rows = drills.flatMap(({ name, checks, figures = {}, notRun }) => [
    ...(notRun === undefined ? [] : [[name, 'not run', '', notRun]]),
    ...checks.map(({ what, limit, found, met }) => [name, what, limit, met ? found : `**${found}**`]),
    [name, 'figures', '', Object.entries(figures).map(said).join(', ')],
  ]);
  return [head, '', table([['drill', 'what', 'limit', 'found'], ...rows])].join('\n');
}

function said([name, value]) {
  const text = typeof value === 'number' ? Number(value.toFixed(1)) : JSON.stringify(value);
  return `${name} ${text}`;
}

function table([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
