/** The types of `first-start.mjs`, for tests in TypeScript. */
import type { ChildProcess } from 'node:child_process';

export declare const STARTED: string;
export declare function start(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  interrupt?: (child: ChildProcess, output: () => string) => unknown,
  root?: string,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }>;
export declare function processesIn(dataDir: string): string[];
export declare function untilPrinted(child: ChildProcess, output: () => string, text: string): Promise<void>;
