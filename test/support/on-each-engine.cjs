// A filter of jest: the suites whose first line says that the database server can change their result.
const { readFileSync } = require('node:fs');

module.exports = (files) => ({
  filtered: files.filter((file) => readFileSync(file, 'utf8').startsWith('// runs: on each engine\n')),
});
