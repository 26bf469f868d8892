// A filter of jest: TIDEMARK_SUITES names a run that repeats only the suites whose first line asks for it.
const { readFileSync } = require('node:fs');

const MARKS = {
  /** The version of the database server can change the result. */
  'each-engine': '// runs: on each engine',
  /** The promise is one of several instances together. */
  'two-instances': '// runs: on two instances',
};

module.exports = (files) => ({
  filtered: files.filter((file) => markOf(file) === MARKS[process.env.TIDEMARK_SUITES]),
});

/** The first line if it is a mark. */
function markOf(file) {
  const [line] = readFileSync(file, 'utf8').split('\n', 1);
  if (!line.startsWith('// runs:')) return null;
  if (!Object.values(MARKS).includes(line)) throw new Error(`${file}: unknown mark ${line}`);
  return line;
}
