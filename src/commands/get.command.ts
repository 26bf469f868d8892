import { readClientSettings } from '../domain/config/client-settings.js';
import { action, type CommandData } from './terminal/command.js';

/** `tidemark get PATH`: a client of the HTTP interface. It uses no database. */
export const get: CommandData = action<{ readonly url?: string; readonly key?: string }, [string]>({
  name: 'get',
  about: 'asks a running service as its clients do, and prints the JSON of the response',
  examples: [
    "tidemark get '/changes?limit=3&locale=ja'",
    "TIDEMARK_URL=https://data.example.org tidemark get '/macro/gdp?region=US,DE'",
    "tidemark get /markets/eurusd --jq '.data.quote'",
  ],
  arguments: [['<path>', 'path and query below /api/v1']],
  options: [
    ['--key <key>', 'API key; TIDEMARK_KEY by default, which other users of the machine cannot see'],
    ['--url <url>', 'base URL of the service; TIDEMARK_URL by default, else http://127.0.0.1:3000'],
  ],
  notes: `Exit codes: 1 no response, or an error of the service; 2 an invalid request; 4 the key (401, 403); 5 not found or
withdrawn (404, 410); 6 a limit of the plan (429). The JSON of an error is printed as well.`,
  run: async (context, given, path) => {
    const { getJson } = await import('./get-json.js');
    const { body, error } = await getJson(path, readClientSettings(process.env, given));
    if (body === null && error !== null) throw error;
    return { json: body, text: JSON.stringify(body, null, 2), failure: error };
  },
});
