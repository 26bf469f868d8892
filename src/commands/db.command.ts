import { action, type CommandData } from './terminal/command.js';

/** `tidemark db stop`. */
export const db: CommandData = {
  name: 'db',
  about: 'manage the embedded database of this folder',
  commands: [
    action({
      name: 'stop',
      about: 'stop the server that a killed process left running',
      examples: ['tidemark db stop'],
      run: async (context) => {
        const { stopEmbeddedDatabase } = await import('../store/connections.js');
        const outcome = await stopEmbeddedDatabase(context.dataDir);
        const text = outcome === 'stopped' ? 'The database has stopped' : 'No database was running';
        return { json: { outcome }, text };
      },
    }),
  ],
};
