// Loaded into a server process by `NODE_OPTIONS=--import`: on CONTROL_PORT it reports the process's CPU time, and
// causes bugs on demand that no request can cause.
import { createServer } from 'node:http';

const actions = {
  '/cpu': () => {
    // Only the event loop's thread, if Node supports that.
    const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
    return String(user + system);
  },
  '/reject': () => {
    void Promise.reject(new Error('nobody waits for this'));
    return 'rejected';
  },
  '/warn': () => {
    process.emitWarning('this call goes away', 'DeprecationWarning', 'DEP9999');
    return 'warned';
  },
  '/throw': () => {
    setTimeout(() => {
      throw new Error('nobody catches this');
    }, 10);
    return 'thrown';
  },
};

createServer((request, response) => {
  response.end(actions[request.url]?.() ?? 'unknown');
})
  .listen(Number(process.env.CONTROL_PORT), '127.0.0.1')
  .unref();
