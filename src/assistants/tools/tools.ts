import { company, CompanyTool } from './company.tool.js';
import { countryHeat, CountryHeatTool } from './country-heat.tool.js';
import { figures, FiguresTool } from './figures.tool.js';
import { getChange, GetChangeTool } from './get-change.tool.js';
import { latestBrief, LatestBriefTool } from './latest-brief.tool.js';
import { latestChanges, LatestChangesTool } from './latest-changes.tool.js';
import { quotes, QuotesTool } from './quotes.tool.js';
import { releaseCalendar, ReleaseCalendarTool } from './release-calendar.tool.js';
import { series, SeriesTool } from './series.tool.js';

/** Every tool, in the order of `tools/list`. */
export const TOOLS = [
  { type: LatestChangesTool, definition: latestChanges },
  { type: GetChangeTool, definition: getChange },
  { type: CountryHeatTool, definition: countryHeat },
  { type: ReleaseCalendarTool, definition: releaseCalendar },
  { type: CompanyTool, definition: company },
  { type: LatestBriefTool, definition: latestBrief },
  { type: FiguresTool, definition: figures },
  { type: QuotesTool, definition: quotes },
  { type: SeriesTool, definition: series },
];
