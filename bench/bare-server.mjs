// The lower bound: a bare `node:http` server that sends fixed bytes and headers. No key, no limit, no query.
import { createServer } from 'node:http';

const { port, answers } = JSON.parse(process.env.BENCH_SERVER);
const prepared = new Map(
  answers.map(({ path, headers, body }) => [path, { headers, etag: headers.etag, body: Buffer.from(body) }]),
);

createServer((request, response) => {
  const answer = prepared.get(request.url);
  if (answer === undefined) {
    response.writeHead(404).end();
  } else if (request.headers['if-none-match'] === answer.etag) {
    response.writeHead(304, answer.headers).end();
  } else {
    response.writeHead(200, { ...answer.headers, 'content-length': answer.body.length });
    response.end(answer.body);
  }
}).listen(port, '127.0.0.1');
