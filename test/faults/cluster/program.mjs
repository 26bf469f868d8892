// A program of a cluster: started, stopped, killed, frozen and restarted, with its output.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { childrenOf } from '../../../bench/processes.mjs';

/** The length of the output that is kept. */
const OUTPUT_CHARACTERS = 4_000_000;

export class Program {
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  #ended = Promise.resolve({ code: null, signal: null });
  #output = '';
  #over = false;

  /**
   * @param {string} name
   * @param {() => { file: string, args: string[], environment: Record<string, string>, folder?: string, logFile?: string, user?: { uid: number, gid: number } }} how
   *   `logFile`: for a program that opens its output by name, which cannot be done with a pipe of node's
   */
  constructor(name, how) {
    this.name = name;
    this.how = how;
  }

  get pid() {
    return this.#child?.pid;
  }

  get running() {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when the program has exited, for whatever reason. */
  get ended() {
    return this.#ended;
  }

  output() {
    const { logFile } = this.how();
    return this.#output + (logFile !== undefined && existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  }

  start() {
    if (this.#over) throw new Error(`${this.name} was to end for good`);
    if (this.running) throw new Error(`${this.name} runs already`);
    const { file, args, environment, folder, logFile, user } = this.how();
    const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
    const child = spawn(file, args, {
      env: { PATH: process.env.PATH, ...environment },
      cwd: folder,
      stdio: ['ignore', log, log],
      // Ctrl-C is for the drill runner: it stops its programs in its own order.
      detached: true,
      ...user,
    });
    if (logFile !== undefined) closeSync(log);
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#output += `${error.message}\n`;
        resolve({ code: null, signal: null, error });
      });
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS);
      });
    }
  }

  /** Its processes; for most programs only one. */
  pids() {
    return this.running ? [this.pid] : [];
  }

  signal(name) {
    for (const pid of this.pids()) {
      try {
        process.kill(pid, name);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
  }

  freeze() {
    this.signal('SIGSTOP');
  }

  thaw() {
    this.signal('SIGCONT');
  }

  /** @returns {Promise<{ code: number | null, signal: string | null, ms: number }>} */
  async stop(signal = 'SIGTERM') {
    const began = performance.now();
    if (this.running) {
      this.thaw();
      this.#child.kill(signal);
    }
    const { code, signal: by } = await this.#ended;
    return { code, signal: by, ms: performance.now() - began };
  }

  async kill() {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** Permanently: after Ctrl-C, nothing may start the program again. */
  end() {
    this.#over = true;
    return this.kill();
  }

  async restart() {
    await this.stop();
    await this.start();
  }
}

/** A program whose child processes do the work: they are frozen and killed with it. */
export class Family extends Program {
  pids() {
    return this.running ? [this.pid, ...childrenOf(this.pid)] : [];
  }
}
