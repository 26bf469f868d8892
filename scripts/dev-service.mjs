// A process of `start:dev`: loads the packages, waits until it is to serve, and then loads the sources as they are.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const started = once(process, 'message');
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
// A package without an entry of its own is loaded by the source that needs it.
for (const name of Object.keys(dependencies)) await import(name).catch(() => undefined);
await started;
process.disconnect();
await import(path.join(root, 'src/main.ts'));
