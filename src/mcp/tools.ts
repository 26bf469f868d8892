import { company, CompanyTool } from './tools/company.tool.js';
import { countryHeat, CountryHeatTool } from './tools/country-heat.tool.js';
import { figures, FiguresTool } from './tools/figures.tool.js';
import { getChange, GetChangeTool } from './tools/get-change.tool.js';
import { latestBrief, LatestBriefTool } from './tools/latest-brief.tool.js';
import { latestChanges, LatestChangesTool } from './tools/latest-changes.tool.js';
import { quotes, QuotesTool } from './tools/quotes.tool.js';
import { releaseCalendar, ReleaseCalendarTool } from './tools/release-calendar.tool.js';
import { searchChanges, SearchChangesTool } from './tools/search-changes.tool.js';

/** Every tool, in the order of `tools/list`. */
export const TOOLS = [
  { type: LatestChangesTool, definition: latestChanges },
  { type: SearchChangesTool, definition: searchChanges },
  { type: GetChangeTool, definition: getChange },
  { type: CountryHeatTool, definition: countryHeat },
  { type: ReleaseCalendarTool, definition: releaseCalendar },
  { type: CompanyTool, definition: company },
  { type: LatestBriefTool, definition: latestBrief },
  { type: FiguresTool, definition: figures },
  { type: QuotesTool, definition: quotes },
];
