// A filter of jest: the first line of a suite says in which runs it is; TIDEMARK_SUITES names the run.
const { readFileSync } = require('node:fs');

/** Another suite, or a slice in one, covers the promise as far as a mistake breaks it in one go. */
const IN_FULL = '// runs: in full only';
/** The promise is one of several instances together. */
const TOGETHER = '// runs: on two instances';
const RUNS = { short: (mark) => mark !== IN_FULL, together: (mark) => mark === TOGETHER };

module.exports = (files) => ({ filtered: files.filter((file) => RUNS[process.env.TIDEMARK_SUITES](markOf(file))) });

/** The first line if it is a mark. */
function markOf(file) {
  const [line] = readFileSync(file, 'utf8').split('\n', 1);
  if (!line.startsWith('// runs:')) return null;
  if (![IN_FULL, TOGETHER].includes(line)) throw new Error(`${file}: unknown mark ${line}`);
  return line;
}
