import { Command } from 'commander';
import { readClientSettings } from '../domain/config/client-settings.js';
import type { CommandContext } from './context/command-context.js';
import { addExamples } from './terminal/examples.js';
import { printJson } from './terminal/print-json.js';

/** `tidemark get PATH`: a client of the HTTP interface. It uses no database. */
export function getCommand(context: CommandContext): Command {
  const get = new Command('get')
    .description('asks a running service as its clients do, and prints the JSON of the response')
    .argument('<path>', 'path and query below /api/v1')
    .option('--key <key>', 'API key; TIDEMARK_KEY by default, which other users of the machine cannot see')
    .option('--url <url>', 'base URL of the service; TIDEMARK_URL by default, else http://127.0.0.1:3000')
    .addHelpText(
      'after',
      `
Exit codes: 1 no response, or an error of the service; 2 an invalid request; 4 the key (401, 403); 5 not found or
withdrawn (404, 410); 6 a limit of the plan (429). The JSON of an error is printed as well.`,
    )
    .action(async (path: string, given: { readonly url?: string; readonly key?: string }) => {
      const { getJson } = await import('./get-json.js');
      const { body, error } = await getJson(path, readClientSettings(process.env, given));
      if (body !== null) printJson(context, body);
      if (error !== null) throw error;
    });
  return addExamples(get, [
    "tidemark get '/changes?limit=3&locale=ja'",
    "TIDEMARK_URL=https://data.example.org tidemark get '/macro/gdp?region=US,DE'",
    "tidemark get /markets/eurusd --jq '.data.quote'",
  ]);
}
