// A separate process that uses the server: connects, prints one line, and releases the server when its input ends.
import { text } from 'node:stream/consumers';
import { openEmbeddedPostgres } from '@tidemark/embedded-postgres';

const [dataDir] = process.argv.slice(2);
const server = await openEmbeddedPostgres({ dataDir });
console.log(JSON.stringify({ firstStart: server.firstStart, connection: server.connection('admin') }));
await text(process.stdin);
await server.release();
