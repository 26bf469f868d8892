import { readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../support/free-port.mjs';
import { faultyLines } from '../support/log-faults.ts';
import { runProbes } from '../support/probe-run.ts';
import { readTerrain } from '../support/terrain.ts';
import { importContent, writeContent } from './attack-content.mjs';
import { makeKeys } from './attack-keys.mjs';
import { startService } from './service.mjs';

/** Enough accounts that requests stay below the limits. */
const ACCOUNTS = 500;
const AT_ONCE = 16;
/** Requests before the first measurement of memory, because they fill caches and compile code. */
const WARM_UP = 0.2;
const REST_MS = 60_000;
const EVERY_MS = 1_000;
/** The growth of memory that is allowed after a rest; fewer requests do not fill the caches beforehand. */
const GROWTH = 1.2;
const ENOUGH_FOR_MEMORY = 50_000;
const LISTED = 40;

/**
 * Sends generated requests with hostile texts in every place, over HTTP and MCP, to a separate service whose content has
 * hostile names and figures with 40 decimals.
 * @param {{ count: number, seed: number, say: (line: string) => void }} asked
 * @returns {Promise<string[]>} the faults
 */
export async function generated({ count, seed, say }) {
  const [metricsPort, content] = [await freePort(), await writeContent(tmpdir())];
  const service = await startService({
    LOG_LEVEL: 'warn',
    METRICS_PORT: String(metricsPort),
    CATALOGUE_DIR: content.catalogue,
  });
  try {
    await importContent(content, service.dataDir);
    const keys = await makeKeys(service.dataDir, ACCOUNTS);
    return await attack({ service, keys, count, seed, say, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` });
  } finally {
    await service.stop();
    await rm(path.dirname(content.catalogue), { recursive: true, force: true });
  }
}

async function attack({ service, keys, metricsUrl, count, seed, say }) {
  const sender = { url: service.url, agent: new Agent(), key: keys[0] };
  const { document, terrain } = await readTerrain(sender);
  const loggedBefore = service.output().length;
  const loop = watchLoop(metricsUrl);
  const startedAt = performance.now();
  let before = 0;
  const { findings, statuses, places, answered } = await runProbes({
    url: service.url,
    keys,
    document,
    terrain,
    seed,
    count,
    atOnce: AT_ONCE,
    onAnswer: (soFar) => {
      if (soFar === Math.ceil(count * WARM_UP)) void residentMb(service.pid).then((mb) => (before = mb));
      return !service.ended();
    },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const atEnd = await residentMb(service.pid);
  const longestMs = loop.stop();
  if (!service.ended()) await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const rested = await residentMb(service.pid);
  const ended = service.ended();

  const failures = [...statuses].filter(([status]) => status.startsWith('5') && status !== '503');
  const lines = faultyLines(service.output().slice(loggedBefore), statuses.has('503'));
  say(`  seed ${seed}: ${answered} of ${count} requests in ${seconds} s`);
  say(`  by status                      ${listOf(statuses)}`);
  say(`  by place                       ${listOf(places)}`);
  say(`  5xx but 503                    ${failures.reduce((sum, [, times]) => sum + times, 0)}`);
  say(`  off the schema, else wrong     ${findings.length}`);
  say(`  lines of the log               ${lines.length} at warn or error, or no JSON`);
  say(`  the process                    ${ended ? 'ENDED' : 'never ended'}`);
  say(
    `  resident memory                ${before} MB after the first ${WARM_UP * 100} %, ${atEnd} MB at the end, ${rested} MB after ${REST_MS / 1_000} s of rest`,
  );
  say(`  longest event-loop delay       ${longestMs === null ? 'no metric' : `${Math.round(longestMs)} ms`}`);
  return [
    ...(ended ? [`the process ended: ${lastWords(service.output())}`] : []),
    ...grouped(findings),
    ...alike(lines).map((line) => `logged: ${line}`),
    ...(count >= ENOUGH_FOR_MEMORY && rested > before * GROWTH ? [`memory grew from ${before} to ${rested} MB`] : []),
  ];
}

/** Reads the service's own metric each second, which resets it. */
function watchLoop(metricsUrl) {
  let longest = null;
  const look = async () => {
    const response = await fetch(metricsUrl);
    const [, seconds] = /^\w*eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(await response.text()) ?? [];
    if (seconds !== undefined) longest = Math.max(longest ?? 0, Number(seconds) * 1_000);
  };
  const timer = setInterval(() => look().catch(() => undefined), EVERY_MS);
  return { stop: () => (clearInterval(timer), longest) };
}

/** 0 for a process that has exited. */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024);
}

function listOf(counts) {
  const sorted = [...counts].sort(([one], [other]) => one.localeCompare(other));
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

/** One line for similar faults: the place, the status and the beginning of the fault. */
function grouped(findings) {
  const groups = new Map();
  for (const finding of findings) {
    const name = `${finding.place} ${finding.status} ${finding.fault.slice(0, 60)}`;
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return [...groups.values()].slice(0, LISTED).map((all) => {
    const [{ place, status, fault, asked }] = all;
    return `${all.length} × ${place}: ${status} ${fault.slice(0, 300)} ← ${JSON.stringify(asked)}`;
  });
}

/** Lines that differ only in times and ids, once each. */
function alike(lines) {
  const counts = new Map();
  for (const line of lines) {
    const form = line.replaceAll(/"(?:time|requestId|trace_id|ms|bytes)":[^,}]*,?/g, '').slice(0, 800);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts].slice(0, LISTED).map(([form, count]) => `${count} × ${form}`);
}

function lastWords(output) {
  return stripVTControlCharacters(output).trim().split('\n').slice(-6).join(' | ');
}
