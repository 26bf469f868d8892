import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { BlockList } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { readDockerfile, readEnv } from './dockerfile.mjs';
import { refusals, unread } from './variables.mjs';
import { foldersOfUser, volumeTargets } from './volumes.mjs';

/** Compose's schema, then checks beyond it: the service's variables, ports, names and secrets. */
export async function checkCompose(root) {
  const docker = path.join(root, 'docker');
  const compose = parse(readFileSync(path.join(docker, 'compose.yaml'), 'utf8'), { merge: true });
  const secrets = madeSecrets(docker);
  const stages = readDockerfile(readFileSync(path.join(docker, 'Dockerfile'), 'utf8'));
  const image = imageDefaults(stages);
  const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
  const wrong = [
    ...schemaFaults(compose),
    ...Object.entries(compose.services).flatMap(([name, service]) => serviceFaults(name, service, compose, docker)),
    ...secretFaults(compose, secrets),
    ...upstreamFaults(compose, docker, image),
    ...addressFaults(compose),
    ...importFaults(compose),
    ...volumeTargets(compose)
      .filter((target) => !foldersOfUser(stages).has(target))
      .map((target) => `the image has no folder ${target} of its user, so a volume there is root's`),
  ];
  for (const [name, service] of ours) {
    const environment = environmentOf(service, image, secrets);
    wrong.push(...unread(root, namesOf(service, secrets)).map((variable) => `${name}: nothing reads ${variable}`));
    wrong.push(...(await refusals(root, environment)).map((line) => `${name}: the service refuses ${line}`));
  }
  return { checked: `${Object.keys(compose.services).length} services`, wrong };
}

function schemaFaults(compose) {
  // The linter contains the specification's schema; the checks ignore its preferred order of keys.
  const linter = path.dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
  const schema = JSON.parse(readFileSync(path.join(linter, 'schemas/compose.schema.json'), 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema({ $id: schema.$schema, $ref: 'http://json-schema.org/draft-07/schema' });
  const validate = ajv.compile(schema);
  if (validate(compose)) return [];
  return validate.errors.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function serviceFaults(name, service, compose, docker) {
  const wrong = [];
  const say = (text) => wrong.push(`${name}: ${text}`);
  if (service.ports !== undefined && name !== 'nginx') say('only nginx has a published port');
  if (service.read_only !== true) say('its root file system can be written');
  if (!/^[\w./-]+:\d+\.\d+(\.\d+)?(-[\w.-]+)?(@sha256:[0-9a-f]{64})?$/.test(service.image))
    say(`${service.image} is no version`);
  const runsOn = service.restart === 'unless-stopped';
  if (runsOn && service.healthcheck === undefined) say('it has no health check');
  if (runsOn && service.mem_limit === undefined) say('its memory has no bound');
  for (const option of (service.tmpfs ?? []).flatMap((line) => (line.split(':')[1] ?? '').split(',')))
    if (!/^((size|mode)=\w+)?$/.test(option)) say(`Podman refuses the tmpfs option ${option}`);
  for (const secret of service.secrets ?? []) if (!(secret in compose.secrets)) say(`there is no secret ${secret}`);
  for (const needed of Object.keys(service.depends_on ?? {})) {
    const condition = service.depends_on[needed].condition;
    const target = compose.services[needed];
    if (target === undefined) say(`it depends on ${needed}, which is not there`);
    else if (condition === 'service_healthy' && target.healthcheck === undefined) say(`${needed} has no health check`);
  }
  for (const { type, source } of (service.volumes ?? []).filter((volume) => typeof volume === 'object')) {
    if (type === 'volume' && !(source in compose.volumes)) say(`there is no volume ${source}`);
    // The operator creates these files.
    if (type === 'bind' && source !== './import' && !existsSync(path.join(docker, source)))
      say(`${source} is not there`);
  }
  return wrong;
}

/** Runs make-secrets.mjs as an operator does. @returns {Record<string, string>} the written files, by name */
function madeSecrets(docker) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-secrets-'));
  try {
    const made = path.join(folder, 'made');
    execFileSync(process.execPath, [path.join(docker, 'make-secrets.mjs'), made]);
    return Object.fromEntries(readdirSync(made).map((name) => [name, readFileSync(path.join(made, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secretFaults({ secrets, services }, made) {
  const wrong = [];
  for (const [name, { file }] of Object.entries(secrets)) {
    if (file !== `./secrets/${name}` || !(name in made))
      wrong.push(`secret ${name}: make-secrets.mjs does not write ${file}`);
  }
  for (const name of Object.keys(made)) if (!(name in secrets)) wrong.push(`${name} is written and not used`);
  const values = Object.values(made).flatMap((text) => text.match(/[0-9a-f]{48}/g) ?? []);
  const written = JSON.stringify(services);
  if (values.some((value) => written.includes(value))) wrong.push('a secret stands in compose.yaml');
  const secret = new Set(Object.entries(made).flatMap(([name, text]) => variablesIn(name, text)));
  for (const [name, { environment = {} }] of Object.entries(services)) {
    for (const variable of Object.keys(environment).filter((one) => secret.has(one)))
      wrong.push(`${name}: ${variable} is a secret and stands in its environment`);
  }
  const passwords = ['owner', 'publisher', 'web', 'accounts'].map((login) => made[`${login}_password`]);
  for (const [at, file] of ['admin.env', 'import.env', 'api.env'].entries()) {
    if (!made[file].includes(`:${passwords[at]}@`)) wrong.push(`${file} has another password than its login`);
  }
  return wrong;
}

function variablesIn(name, text) {
  return name.endsWith('.env') ? Object.keys(parseEnv(text)) : [];
}

/** Sync runs with `up`, after the migration, and no service waits for a publisher; an import runs by hand alone. */
function importFaults({ services }) {
  const { sync, import: job } = services;
  const waiting = Object.keys(services).filter((name) => {
    const needed = services[name].depends_on ?? {};
    return needed.import !== undefined || needed.sync !== undefined;
  });
  const isMigrated = ({ depends_on: needed }) => needed.migrate?.condition === 'service_completed_successfully';
  return [
    ...(sync.profiles === undefined && sync.command.includes('--watch') ? [] : ['sync: `up` leaves it out']),
    ...(sync.restart === 'unless-stopped' ? [] : ['sync: it stays away when it ends']),
    ...(job.profiles?.includes('import') ? [] : ['import: `up` starts it']),
    ...['sync', 'import']
      .filter((name) => !isMigrated(services[name]))
      .map((name) => `${name}: it does not wait for migrate`),
    ...waiting.map((name) => `${name}: it waits for a publisher`),
  ];
}

const instancesOf = (services) =>
  Object.keys(services).filter((name) => services[name].command?.includes('/app/dist/main.js'));

/** The listen addresses and upstreams in nginx's files, against the services. */
function upstreamFaults({ services }, docker, image) {
  const wrong = [];
  const lines = readFileSync(path.join(docker, 'nginx/instances.conf'), 'utf8').match(/^server .+/gm) ?? [];
  const upstreams = lines.map((line) => line.split(' ', 2).join(' '));
  // Otherwise the one retry of nginx.conf may reach the instance that has just failed.
  if (!lines.every((line) => line.includes(' max_fails=1 '))) wrong.push('nginx may retry at the same instance');
  const instances = instancesOf(services);
  const led = upstreams.map((line) => line.replace('server ', ''));
  // By address: nginx does not start while a host name does not resolve.
  const expected = instances.map((name) => {
    const { environment, networks } = services[name];
    return `${networks.inside.ipv4_address}:${environment.PORT ?? image.PORT}`;
  });
  if (led.sort().join() !== expected.sort().join())
    wrong.push(`nginx leads to ${led.join(' ')}, not ${expected.join(' ')}`);
  const listened = /^listen (\d+);/m.exec(readFileSync(path.join(docker, 'nginx/listen.conf'), 'utf8'))?.[1];
  if (!services.nginx.ports.every((port) => String(port).endsWith(`:${listened}`)))
    wrong.push(`nginx listens on ${listened}`);
  const address = services.nginx.networks.inside.ipv4_address;
  for (const name of instances) {
    if (services[name].environment.TRUSTED_PROXIES !== address)
      wrong.push(`${name} does not believe nginx, and it alone`);
  }
  for (const [name, { condition }] of Object.entries(services.nginx.depends_on)) {
    if (condition !== 'service_started') wrong.push(`nginx does not start while ${name} is ill`);
  }
  return wrong;
}

/** Each fixed address is in the network, unique, and outside the range of assigned addresses. */
function addressFaults({ services, networks }) {
  const { subnet, ip_range: range } = networks.inside.ipam.config[0];
  const [inside, others] = [listOf(subnet), listOf(range)];
  const fixed = ['nginx', ...instancesOf(services)].map((name) => services[name].networks.inside?.ipv4_address);
  const wrong = fixed
    .filter((one) => one === undefined || !inside.check(one) || others.check(one))
    .map((one) => `${one} is no address of the network inside that is left to fixed ones`);
  if (!inside.check(range.split('/')[0])) wrong.push(`${range} lies outside ${subnet}`);
  if (new Set(fixed).size < fixed.length) wrong.push(`two of ${fixed.join(', ')} are the same address`);
  return wrong;
}

function listOf(range) {
  const [net, bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(bits));
  return list;
}

function imageDefaults(stages) {
  return Object.assign(
    {},
    ...stages
      .at(-1)
      .steps.filter(({ verb }) => verb === 'ENV')
      .map(readEnv),
  );
}

function environmentFiles(service) {
  return JSON.stringify([service.entrypoint, service.command]).match(/(?<=--env-file=\/run\/secrets\/)[\w.]+/g) ?? [];
}

function namesOf(service, secrets) {
  const inFiles = environmentFiles(service).flatMap((file) => Object.keys(parseEnv(secrets[file] ?? '')));
  return [...Object.keys(service.environment ?? {}), ...inFiles];
}

/** The value that the process sees; the default of `${NAME:-default}`. */
function environmentOf(service, { PATH: _path, ...image }, secrets) {
  const own = Object.entries(service.environment ?? {}).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\w+:-(.*?)\}/g, '$1'),
  ]);
  const inFiles = environmentFiles(service).map((file) => parseEnv(secrets[file] ?? ''));
  return { ...Object.assign({}, ...inFiles), ...image, ...Object.fromEntries(own) };
}
