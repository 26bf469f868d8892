// A test environment of jest without a realm of its own: suites run in the worker's realm, where the compiled service is
// loaded once, so that an instance of Date or Error is one on both sides. What jest puts into the realm leaves with a suite.
const { ModuleMocker } = require('jest-mock');
const { ModernFakeTimers } = require('@jest/fake-timers');

/** Symbols under which jest keeps the state of a suite in its realm. */
const OF_JEST = [
  'EVENT_HANDLERS',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
].map((name) => Symbol.for(name));

module.exports = class WorkerEnvironment {
  global = globalThis;
  exportConditions = () => ['node', 'node-addons', 'require'];
  getVmContext = () => globalThis;

  constructor({ projectConfig }) {
    const { console } = globalThis;
    this.before = { console, exit: process.exit, env: { ...process.env } };
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    const { console, exit, env } = this.before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    for (const symbol of OF_JEST) delete globalThis[symbol];
  }
};
