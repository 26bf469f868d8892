import type { CommandContext } from '../context/command-context.js';

/** What a command prints with `--json`: one document. */
export function printJson(context: Pick<CommandContext, 'out'>, document: unknown): void {
  context.out(JSON.stringify(document, null, 2));
}
