// The module loader of a suite. It loads the suite and its helpers anew for each suite; Node loads packages and, where a
// set-up has compiled it, the service, once for a worker and as it does in production.
const { compileFunction } = require('node:vm');
const { readFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** A module of the service or of a package: `src/<module>` is compiled to `dist/<module>` beside it. */
const SOURCE = /^((?:packages\/[^/]+\/)?)src\/(.*)\.[jt]s$/;
/** First line of a suite whose environment decides what modules contain, so that it loads the service anew. */
const ANEW = '// modules: loaded anew\n';
const OF_JEST = /^(@jest\/|jest-|expect$|pretty-format$)/;

const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  // Node 20 warns once of what each worker does.
  if (!String(warning).includes('loading ES Module in require()')) emitWarning.call(process, warning, ...rest);
};

module.exports = class WorkerRuntime extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    this.root = config.rootDir;
    const [, , , , , suite] = rest;
    this.isCompiled = config.globalSetup != null && !readFileSync(suite, 'utf8').startsWith(ANEW);
    const { executor } = this;
    // Without `parsingContext`: in the realm of the worker.
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const target = this.loadedByNode(from, name);
    return target === null ? super.requireModuleOrMock(from, name) : createRequire(from)(target);
  }

  /** What Node resolves; null: jest loads it. */
  loadedByNode(from, name) {
    if (!name.startsWith('.') && !path.isAbsolute(name)) return isBuiltin(name) || OF_JEST.test(name) ? null : name;
    if (!this.isCompiled) return null;
    const module = path.relative(this.root, path.resolve(path.dirname(from), name));
    const [, folder, file] = SOURCE.exec(module) ?? [];
    return file === undefined ? null : path.join(this.root, folder, 'dist', `${file}.js`);
  }
};
