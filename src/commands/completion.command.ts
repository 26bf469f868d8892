import type { Command } from 'commander';
import { action, type CommandData } from './terminal/command.js';

/** `tidemark completion bash|zsh|fish`. */
export const completion: CommandData = action<object, ['bash' | 'zsh' | 'fish', Command]>({
  name: 'completion',
  about: 'prints a script that completes commands, options and values in a shell',
  examples: [
    'source <(tidemark completion bash)        # in ~/.bashrc',
    'source <(tidemark completion zsh)         # in ~/.zshrc, after compinit',
    'tidemark completion fish > ~/.config/fish/completions/tidemark.fish',
  ],
  arguments: [['<shell>', 'the shell', { choices: ['bash', 'zsh', 'fish'] }]],
  run: async (_, _options, shell, { parent }) => {
    const { COMPLETION_SCRIPTS } = await import('./completion-scripts.js');
    const { commandWordsOf } = await import('./terminal/command-words.js');
    if (parent === null) throw new Error('The completion is not part of a program');
    const script = COMPLETION_SCRIPTS[shell](commandWordsOf(parent));
    return { json: { script }, text: script };
  },
});
