import { CATALOGUE_DIR } from '../../domain/config/catalogue-dir.js';
import { ReportedError } from '../context/command-context.js';
import { action, type CommandData } from '../terminal/command.js';

/** `tidemark catalogue check [DIR]`: needs no database. Exit code 1 if there is a fault. */
export const catalogue: CommandData = {
  name: 'catalogue',
  about: 'your own names, units, sources and mappings',
  commands: [
    action<object, [string | undefined]>({
      name: 'check',
      about: 'checks the shipped catalogue with your own over it, and lists every fault',
      examples: ['tidemark catalogue check examples/own-figures/catalogue'],
      arguments: [['[dir]', 'the folder of your own catalogue', { default: CATALOGUE_DIR ?? undefined }]],
      run: async (_, _options, dir) => {
        const { loadCatalogue } = await import('../../publish/catalogue/catalogue.js');
        const { faultLine } = await import('../../publish/catalogue/catalogue-error.js');
        const { catalogue: loaded, faults } = loadCatalogue(dir ?? null);
        const { indicators, instruments, sources } = loaded;
        const counts = Object.entries(loaded).map(([name, entries]: [string, readonly unknown[]]) => {
          return [name, entries.length] as const;
        });
        const sound = `No fault: ${indicators.length} indicators and ${instruments.length} instruments of ${sources.length} sources`;
        const many = `the catalogue has ${faults.length} fault${faults.length > 1 ? 's' : ''}`;
        return {
          json: { counts: Object.fromEntries(counts), faults },
          text: faults.length === 0 ? sound : faults.map(faultLine),
          failure: faults.length === 0 ? null : new ReportedError(many),
        };
      },
    }),
  ],
};
