// `node healthy.mjs live|ready`: the container's health check. Exits with 0 if the container's server confirms it.
import { get } from 'node:http';

const [what = 'live'] = process.argv.slice(2);
const question = get({ host: '127.0.0.1', port: process.env.PORT ?? 3000, path: `/health/${what}`, timeout: 2_500 });
question.once('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1));
question.once('timeout', () => process.exit(1));
question.once('error', () => process.exit(1));
