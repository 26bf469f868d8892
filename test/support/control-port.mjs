// Loaded into a server process by `NODE_OPTIONS=--import`: on CONTROL_PORT it tells what CPU time the process has taken,
// and makes mistakes on demand that no request can make.
import { createServer } from 'node:http';

const actions = {
  '/cpu': () => {
    // The thread of the event loop alone, where Node can tell.
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
