// Coming releases as publishers announce them on their own pages, laid out as a schedule of docs/reference/calendar-files.md.
import { dayOf } from '../../../domain/figures/periods.js';
import { ImportError, type Importer, type ScheduleRow } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { openSchedules } from './releases.importer.js';
import { SCHEDULE_COLUMNS } from './schedule-list.js';

/** All these publishers are in Washington. */
export const WASHINGTON = 'America/New_York';

export interface AnnouncedRelease extends Pick<ScheduleRow, 'period' | 'estimate'> {
  /** `YYYY-MM-DD` in Washington. */
  readonly day: string;
  /** `HH:MM` there, or empty. */
  readonly time: string;
  readonly isCancelled: boolean;
}

export interface AnnouncementSettings extends FetchSettings {
  /** `YYYY-MM-DD`. */
  readonly today: () => string;
}

export interface AnnouncedBy {
  /** As typed: `tidemark import <publisher>`. */
  readonly publisher: string;
  /** Provider of the catalogue whose indicator is released. */
  readonly provider: string;
  /** Slug and region of that indicator. */
  readonly indicator: string;
  readonly region: string;
  readonly base: string;
  /** Path of the page below `base`. */
  readonly page: string;
  /** Reads all releases of the page, past ones included. */
  read(text: string, url: string): readonly AnnouncedRelease[];
}

/** The importer of one publisher's page, and its `fetch` for tests. Only what lies ahead is imported. */
export function announcements(by: AnnouncedBy) {
  const { publisher, provider, base, page } = by;
  function* plan(options: { readonly contact?: string | null }, settings: AnnouncementSettings): FetchPlan<true> {
    yield {
      url: `${settings.base}/${page}`,
      // The BLS refuses programs that name no contact.
      ...(options.contact != null && { headers: { 'user-agent': options.contact } }),
      file: 'schedule.csv',
      accept: (body, url) => {
        const today = settings.today();
        const ahead = by.read(body.toString('utf8'), url).filter(({ day }) => day >= today);
        if (ahead.length === 0) throw new ImportError(`${url}: no release from ${today} on is announced`);
        return { result: true, content: scheduleOf(by, ahead) };
      },
      progress: () => ({ what: 'schedule', left: 0 }),
    };
  }
  const fetch = fetchBy<AnnouncementSettings, true>({ base, today: () => dayOf(new Date()) }, plan);
  const importer: Importer = {
    publisher,
    providers: [provider],
    open: (paths, vintage, onStray) => openSchedules(paths, vintage, { indicator: by.indicator, onStray }),
    fetch: (options) => fetch(options),
  };
  return { importer, fetch };
}

function scheduleOf({ indicator, region, base, page }: AnnouncedBy, releases: readonly AnnouncedRelease[]): string {
  const lines = releases.map(({ day, time, period, estimate, isCancelled }) =>
    [
      day,
      time,
      WASHINGTON,
      indicator,
      region,
      period,
      estimate ?? '',
      isCancelled ? 'cancelled' : 'scheduled',
      `${base}/${page}`,
    ].join(','),
  );
  return [SCHEDULE_COLUMNS.join(','), ...lines, ''].join('\n');
}
