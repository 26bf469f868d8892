import { company, CompanyTool } from './tools/company.tool.js';
import { countryHeat, CountryHeatTool } from './tools/country-heat.tool.js';
import { getChange, GetChangeTool } from './tools/get-change.tool.js';
import { latestBrief, LatestBriefTool } from './tools/latest-brief.tool.js';
import { latestChanges, LatestChangesTool } from './tools/latest-changes.tool.js';
import { releaseCalendar, ReleaseCalendarTool } from './tools/release-calendar.tool.js';
import { searchChanges, SearchChangesTool } from './tools/search-changes.tool.js';

/** Every tool, in the order of the list that a client gets. */
export const TOOLS = [
  { type: LatestChangesTool, definition: latestChanges },
  { type: SearchChangesTool, definition: searchChanges },
  { type: GetChangeTool, definition: getChange },
  { type: CountryHeatTool, definition: countryHeat },
  { type: ReleaseCalendarTool, definition: releaseCalendar },
  { type: CompanyTool, definition: company },
  { type: LatestBriefTool, definition: latestBrief },
];
