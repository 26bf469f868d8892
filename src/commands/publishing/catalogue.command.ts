import { Command } from 'commander';
import { addExamples } from '../terminal/examples.js';
import { CATALOGUE_DIR } from '../../domain/config/catalogue-dir.js';
import { ReportedError, type CommandContext } from '../context/command-context.js';
import { printJson } from '../terminal/print-json.js';

/** `tidemark catalogue check [DIR]`: needs no database. Exit code 1 if there is a fault. */
export function catalogueCommand(context: CommandContext): Command {
  const check = addExamples(new Command('check'), ['tidemark catalogue check examples/own-figures/catalogue'])
    .description('checks the shipped catalogue with your own over it, and lists every fault')
    .argument('[dir]', 'the folder of your own catalogue', CATALOGUE_DIR ?? undefined)
    .action(async (dir: string | undefined) => {
      const { loadCatalogue } = await import('../../publish/catalogue/catalogue.js');
      const { faultLine } = await import('../../publish/catalogue/catalogue-error.js');
      const { catalogue, faults } = loadCatalogue(dir ?? null);
      const counts = Object.fromEntries(
        Object.entries(catalogue).map(([name, entries]: [string, readonly unknown[]]) => [
          name,
          entries.length,
        ]),
      );
      if (context.json) printJson(context, { counts, faults });
      else if (faults.length === 0) {
        const { indicators, instruments, sources } = catalogue;
        context.out(
          `No fault: ${indicators.length} indicators and ${instruments.length} instruments of ${sources.length} sources`,
        );
      } else for (const fault of faults) context.out(faultLine(fault));
      if (faults.length > 0)
        throw new ReportedError(`the catalogue has ${faults.length} fault${faults.length > 1 ? 's' : ''}`);
    });
  return new Command('catalogue')
    .description('your own names, units, sources and mappings')
    .addCommand(check);
}
