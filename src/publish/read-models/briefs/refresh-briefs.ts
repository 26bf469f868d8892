import type pg from 'pg';
import { creditOf } from '../../derive/credit.js';
import type { Publication } from '../../publication/record-publication.js';
import { grouped } from '../../../domain/grouped.js';
import {
  AFFECTED_DAYS,
  CANDIDATES,
  COMPILED_UNTIL,
  GATHER,
  ORDINARY_STEPS,
  LEADS,
  PUBLISHERS,
  SECTIONS,
  SMALLER,
  type BriefCandidateRow,
  type BriefSectionRow,
  type CompiledUntilRow,
  type DatedStepRow,
  type LeadRow,
  type PublisherRow,
  type SmallerRow,
} from './brief-rows.js';
import { briefTexts } from './brief-texts.js';
import { itemHeadline } from './item-texts.js';
import { pickItems } from './pick-items.js';
import { alignedWith } from './mentioned-change.js';
import { wordingOf } from '../../../domain/figures/wording.js';

/** Days in memory at a time. */
const BATCH = 100;

/**
 * Rewrites the briefs of affected days from the published changes, independent of the order of imports. A day
 * without changes loses its brief.
 */
export async function refreshBriefs(client: pg.PoolClient, publication: Publication): Promise<number> {
  const { rows } = await client.query<{ day: string }>(AFFECTED_DAYS);
  if (rows.length === 0) return 0;
  const days = rows.map(({ day }) => day);
  await client.query(GATHER);
  await client.query('DELETE FROM briefs WHERE day = ANY ($1)', [days]);
  for (let from = 0; from < days.length; from += BATCH) {
    await writeBriefs(client, days.slice(from, from + BATCH), publication.dataVersion);
  }
  return days.length;
}

type OfDay<Row> = (day: string) => readonly Row[];

async function writeBriefs(client: pg.PoolClient, days: readonly string[], dataVersion: number): Promise<void> {
  const read = async <Row extends { readonly day: string }>(sql: string): Promise<OfDay<Row>> => {
    const { rows } = await client.query<Row>(sql, [days]);
    const ofDays = grouped(rows, ({ day }) => day);
    return (day) => ofDays.get(day) ?? [];
  };
  const sections = await read<BriefSectionRow>(SECTIONS);
  const candidates = await read<BriefCandidateRow>(CANDIDATES);
  const ordinarySteps = await read<DatedStepRow>(ORDINARY_STEPS);
  const smaller = await read<SmallerRow>(SMALLER);
  const publishers = await read<PublisherRow>(PUBLISHERS);
  const compiled = await read<CompiledUntilRow>(COMPILED_UNTIL);
  const briefs = days
    .filter((day) => sections(day).length > 0)
    .map((day) => ({ day, ...pickItems(candidates(day), sections(day)) }));
  const leads = await readLeads(
    client,
    briefs.flatMap(({ items }) => items.map(({ members }) => members[0])),
  );
  const written = briefs.map(({ day, items: picked, omitted }) => {
    const leading = picked.map(({ members: [id] }) => leads(id));
    const items = picked.map((item) => {
      const lead = leads(item.members[0]);
      return { ...item, change: alignedWith(leading, lead), summary: lead.summary };
    });
    const { title, summary } = briefTexts({
      day,
      items,
      ordinarySteps: ordinarySteps(day).map((step) => ({ ...step, period: day })),
      changes: sections(day).reduce((sum, { changes }) => sum + changes, 0),
      smaller: smaller(day)[0]?.count ?? 0,
      publishers: publishers(day).map((row) => ({ name: creditOf(row), basis: row.basis })),
    });
    return {
      day,
      title,
      summary,
      compiled_until: compiled(day)[0]?.until ?? null,
      sections: sections(day).map(({ key }) => ({ coverage: key, omitted: omitted.get(key) ?? 0 })),
      items: items.map((item, index) => ({
        rank: index + 1,
        coverage: item.section,
        headline: itemHeadline(item),
        change_id: item.members[0],
        changes: item.changes,
        members: item.members,
      })),
    };
  });
  await client.query(STORE, [JSON.stringify(written), dataVersion]);
}

/** The most important changes of items, by id. */
async function readLeads(client: pg.PoolClient, ids: readonly string[]): Promise<(id: string) => LeadRow> {
  const { rows } = await client.query<LeadRow>(LEADS, [ids]);
  const leads = new Map(rows.map((lead) => [lead.id, worded(lead)]));
  return (id) => {
    const lead = leads.get(id);
    if (lead === undefined) throw new Error(`There is no change ${id}`);
    return lead;
  };
}

const worded = (lead: LeadRow): LeadRow =>
  lead.wording === null ? lead : { ...lead, wording: wordingOf(lead.wording, lead.aggregate) };

/** PostgreSQL checks foreign keys at the end of the statement, so one statement writes all four tables. */
const STORE = `
  WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS b (
      day date, title jsonb, summary jsonb, compiled_until date, sections jsonb, items jsonb)
  ), stored AS (
    INSERT INTO briefs (day, title, summary, data_version, compiled_until)
    SELECT day, title, summary, $2, compiled_until FROM given
  ), sections AS (
    INSERT INTO brief_sections (day, coverage, omitted)
    SELECT day, s.coverage, s.omitted
    FROM given, jsonb_to_recordset(sections) AS s (coverage text, omitted integer)
  ), listed AS MATERIALIZED (
    SELECT day, i.* FROM given, jsonb_to_recordset(items) AS i (
      rank smallint, coverage text, headline jsonb, change_id text, changes integer, members jsonb)
  ), items AS (
    INSERT INTO brief_items (day, rank, coverage, headline, change_id, changes)
    SELECT day, rank, coverage, headline, change_id, changes FROM listed
  )
  INSERT INTO brief_item_changes (day, rank, ordinal, change_id)
  SELECT day, rank, m.ordinal, m.id
  FROM listed CROSS JOIN LATERAL jsonb_array_elements_text(members) WITH ORDINALITY AS m (id, ordinal)`;
