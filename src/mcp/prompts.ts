import { countryReport, CountryReportPrompt } from './prompts/country-report.js';
import { morningBrief, MorningBriefPrompt } from './prompts/morning-brief.js';

/** Every prompt, in the order of `prompts/list`. */
export const PROMPTS = [
  { type: MorningBriefPrompt, definition: morningBrief },
  { type: CountryReportPrompt, definition: countryReport },
];
