import type { Command } from 'commander';
import { UsageError, type CommandContext } from '../context/command-context.js';

export interface Yes {
  readonly yes?: true;
}

/** `--yes`, for a command that calls `requireYes`. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do it without a question');
}

/**
 * Asks before `what` deletes or retracts something.
 *
 * @throws UsageError without `--yes` if nobody can answer, or if the operator declines
 */
export async function requireYes(
  { ask = null, json }: Pick<CommandContext, 'ask' | 'json'>,
  { yes }: Yes,
  what: string,
): Promise<void> {
  if (yes === true) return;
  if (ask === null || json) throw new UsageError(`${what}. Nobody can be asked here: confirm it with --yes`);
  const answer = await ask(`${what}. Continue? [y/N] `);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new UsageError('nothing was done');
}
