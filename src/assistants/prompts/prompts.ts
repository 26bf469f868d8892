import { countryReport, CountryReportPrompt } from './country-report.js';
import { morningBrief, MorningBriefPrompt } from './morning-brief.js';

/** Every prompt, in the order of `prompts/list`. */
export const PROMPTS = [
  { type: MorningBriefPrompt, definition: morningBrief },
  { type: CountryReportPrompt, definition: countryReport },
];
