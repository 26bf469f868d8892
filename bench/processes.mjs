// CPU time and memory of processes, from /proc. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, usersWaitedFor, systemWaitedFor] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    own: (user + system) / TICKS_A_SECOND,
    ended: (usersWaitedFor + systemWaitedFor) / TICKS_A_SECOND,
  };
}

/** CPU seconds that a process has used so far, in all its threads. */
export function cpuSeconds(pid) {
  return stat(pid).own;
}

/** The same including its children, also those that have exited. */
export function treeCpuSeconds(pid) {
  const { own, ended } = stat(pid);
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsIfAlive(child), own + ended);
}

function cpuSecondsIfAlive(pid) {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}

export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return stat(candidate).parent === pid;
      } catch {
        return false;
      }
    });
}

/** Resident megabytes; `proportional` divides memory that processes share among them. */
export function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { resident: megabytes('Rss'), proportional: megabytes('Pss') };
}

export function treeMemoryOf(pid) {
  const all = [pid, ...childrenOf(pid)].map(memoryOf);
  return {
    processes: all.length,
    resident: all.reduce((sum, { resident }) => sum + resident, 0),
    proportional: all.reduce((sum, { proportional }) => sum + proportional, 0),
  };
}
