import { Argument, Command } from 'commander';
import type { CommandContext } from './context/command-context.js';
import { addExamples } from './terminal/examples.js';
import { printJson } from './terminal/print-json.js';

/** `tidemark completion bash|zsh|fish`. */
export function completionCommand(context: CommandContext): Command {
  const completion = new Command('completion')
    .description('prints a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { COMPLETION_SCRIPTS } = await import('./completion-scripts.js');
      const { commandWordsOf } = await import('./terminal/command-words.js');
      if (completion.parent === null) throw new Error('The completion is not part of a program');
      const script = COMPLETION_SCRIPTS[shell](commandWordsOf(completion.parent));
      if (context.json) printJson(context, { script });
      else context.out(script);
    });
  return addExamples(completion, [
    'source <(tidemark completion bash)        # in ~/.bashrc',
    'source <(tidemark completion zsh)         # in ~/.zshrc, after compinit',
    'tidemark completion fish > ~/.config/fish/completions/tidemark.fish',
  ]);
}
