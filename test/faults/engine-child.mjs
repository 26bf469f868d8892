// A process of its own that takes part in an engine: joins, says so in one line, and leaves when its input ends.
import { text } from 'node:stream/consumers';
import { joinEngine } from '../../dist/database/engine/embedded-engine.js';

const [dataDir] = process.argv.slice(2);
const lease = await joinEngine({ dataDir });
console.log(JSON.stringify({ firstStart: lease.firstStart, connection: lease.connection('admin') }));
await text(process.stdin);
await lease.release();
