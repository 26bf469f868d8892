import { setFlagsFromString } from 'node:v8';
import { requirePorts } from './domain/config/require-ports.js';
import { readConfig } from './domain/config/config.js';
import { ConfigError } from './domain/config/config-error.js';
import { misspelt } from './domain/config/misspelt.js';
import { explainError } from './domain/errors/explain-error.js';

/**
 * How far the heap may grow beyond what was in use at the last full collection. V8 takes up to 300 % where it sees much
 * memory, also if the container may use only a part of it.
 */
setFlagsFromString('--heap-growing-percent=60');

/** `npm start`: starts the service, also without any configuration. */
async function main(): Promise<number> {
  const config = readConfig(process.env);
  for (const line of misspelt(process.env)) process.stderr.write(`tidemark: ${line}\n`);
  // Before the rest of the program is read, which takes seconds on a busy machine.
  await requirePorts(config);
  const { runService } = await import('./run-service.js');
  return runService(config);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [explainError(error)];
    for (const line of lines) process.stderr.write(`tidemark: ${line}\n`);
    process.exit(1);
  },
);
