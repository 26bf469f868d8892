// `npm run test:conformance`: the protocol's own suite against the built service, through a loopback proxy that adds a
// key. The suite needs Node 22, which the package registry provides; `npm test` does not run this.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../support/free-port.mjs';

const root = path.join(import.meta.dirname, '../..');
const SUITE = ['-p', 'node@22.23.3', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const OLD = '2025-11-25';
const NEW = '2026-07-28';

/** The scenarios for a server without sessions and notifications, and without the suite's own tools. */
const SCENARIOS = [
  ['server-initialize', OLD],
  ['ping', OLD],
  ['tools-list', OLD],
  ['resources-list', OLD],
  ['dns-rebinding-protection', OLD],
  ['server-stateless', NEW],
  ['tools-list', NEW],
  ['resources-list', NEW],
  ['dns-rebinding-protection', NEW],
  ['caching', NEW],
  ['http-header-validation', NEW],
];
/** Checks inside these scenarios that need features which this server lacks. */
const NOT_TESTABLE = {
  "tools of the suite's own reference server": [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
};
/** The other scenarios, and why they do not apply to this server. */
const LEFT_OUT = {
  'server-session-lifecycle': 'no sessions are kept or promised',
  'logging-set-level': 'a capability that is not declared',
  'prompts-*, completion-complete': 'capabilities that are not declared',
  'tools-call-*, json-schema-2020-12, input-required-result-*': "call tools of the suite's own reference server",
  'http-custom-header-server-validation': 'no tool asks for its arguments in headers',
  'resources-read-*, resources-templates-read, resources-subscribe':
    "read resources of the suite's own reference server; test/mcp reads ours",
  'sep-2640-*': 'there are no skills',
  'elicitation-*, server-sse-*': 'the server asks its clients nothing and opens no streams',
  'tasks-*': 'an extension that is not declared',
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'tidemark-conformance-'));
const port = await freePort();
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port) };
const service = spawn(process.execPath, [path.join(root, 'dist/main.js')], {
  env: environment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const failures = [];
try {
  await started(service);
  for (const [index, [scenario, version]] of SCENARIOS.entries()) {
    // Each scenario has its own account, because free calls are limited too.
    const proxy = await keyedProxy(makeKey(index));
    const passed = await run(scenario, version, proxy.url);
    console.log(`${passed ? 'passed' : 'FAILED'}  ${scenario} [${version}]`);
    if (!passed) failures.push(scenario);
    proxy.close();
  }
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
for (const [need, checks] of Object.entries(NOT_TESTABLE)) console.log(`left out  ${checks.join(', ')}: need ${need}`);
for (const [scenario, reason] of Object.entries(LEFT_OUT)) console.log(`left out  ${scenario}: ${reason}`);
console.log(`\n${SCENARIOS.length - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);

function run(scenario, version, url) {
  const suite = ['server', '--url', url, '--scenario', scenario, '--spec-version', version];
  const child = spawn('npx', ['--yes', ...SUITE, 'conformance', ...suite], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      const failed = [...output.matchAll(/\[(\S+) *\] \S*FAILURE/g)].map(([, check]) => check);
      const unexpected = failed.filter((check) => !Object.values(NOT_TESTABLE).flat().includes(check));
      const passed = code === 0 || (failed.length > 0 && unexpected.length === 0);
      if (!passed) console.log(output);
      resolve(passed);
    }),
  );
}

function started(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Stop with Ctrl-C')) resolve();
    });
  });
}

function makeKey(index) {
  const email = `conformance-${index}@test.example`;
  command('accounts', 'create', '--account', email, '--plan', 'developer');
  return /tm_[0-9A-Za-z]{36}/.exec(command('keys', 'create', '--account', email))[0];
}

function command(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args], {
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Forwards everything unchanged, including `Host` and `Origin`, and adds the key. */
async function keyedProxy(key) {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const onward = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers },
      (reply) => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${server.address().port}/api/v1/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
