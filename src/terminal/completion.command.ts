import { Argument, Command } from 'commander';
import type { CommandContext } from '../process/command-context.js';
import { addExamples } from './examples.js';

/** `tidemark completion bash|zsh|fish`. */
export function completionCommand(context: CommandContext): Command {
  const completion = new Command('completion')
    .description('prints a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { COMPLETION_SCRIPTS } = await import('./completion-scripts.js');
      const { commandWordsOf } = await import('./command-words.js');
      if (completion.parent === null) throw new Error('The completion is not part of a program');
      context.out(COMPLETION_SCRIPTS[shell](commandWordsOf(completion.parent)));
    });
  return addExamples(completion, [
    'source <(tidemark completion bash)        # in ~/.bashrc',
    'source <(tidemark completion zsh)         # in ~/.zshrc, after compinit',
    'tidemark completion fish > ~/.config/fish/completions/tidemark.fish',
  ]);
}
