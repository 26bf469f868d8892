import { sayWaiting, withDatabase } from '../context/command-context.js';
import { action, REASON, type CommandData } from '../terminal/command.js';

/** `tidemark changes withdraw ID --reason R`. */
export const changes: CommandData = {
  name: 'changes',
  about: 'published changes',
  commands: [
    action<{ readonly reason: string }, [string]>({
      name: 'withdraw',
      about: 'withdraws a published change permanently: its address then responds with 410',
      examples: ['tidemark changes withdraw chg_… --reason "misprint of the source" --yes'],
      arguments: [['<id>', 'chg_…, as its page and `GET /changes` have it']],
      options: [REASON],
      confirm: (_, id) => `Withdrawing ${id} is permanent`,
      run: async (context, { reason }, id) => {
        const { withdrawChange } = await import('../../publish/versions/withdraw-change.js');
        const publication = await withDatabase(context, 'import', (dataSource) =>
          withdrawChange(dataSource, id, reason, () => context.now(), sayWaiting(context)),
        );
        const dataVersion = publication?.dataVersion ?? null;
        const text =
          dataVersion === null
            ? `${id} was withdrawn before, nothing changed`
            : `${id} withdrawn in data version ${dataVersion}`;
        return { json: { id, dataVersion }, text };
      },
    }),
  ],
};
