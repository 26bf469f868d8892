// How long this machine stood still: how late a thread without work woke up. Busy processes delay it by a few scheduler
// slices; a virtual machine that its host suspends, or one whose disk or memory blocks everything, delays it by far more.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;

if (!isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  parentPort.on('message', () => {
    parentPort.postMessage(delay.max / 1e6);
    delay.reset();
  });
}

/** @returns {() => Promise<number>} the milliseconds of the longest stall since the call before */
export function watchStalls() {
  const worker = new Worker(new URL(import.meta.url));
  worker.unref();
  return () =>
    new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage('longest');
    });
}
