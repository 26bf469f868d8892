import { spawnSync } from 'node:child_process';

/** Whether this machine has the program. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** `describe`, or a skipped suite whose name states what is missing. */
export function describeIf(present: boolean, missing: string) {
  return (name: string, suite: () => void): void => {
    if (present) describe(name, suite);
    else describe.skip(`${missing}: ${name}`, suite);
  };
}
