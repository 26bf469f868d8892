import type pg from 'pg';
import { creditOf } from '../../derive/credit.js';
import type { Publication } from '../../publication/record-publication.js';
import {
  CANDIDATES,
  COMPILED_UNTIL,
  GATHER,
  LARGER_STEPS,
  LEADS,
  PUBLISHERS,
  SMALLER,
  SECTIONS,
  AFFECTED_DAYS,
  type BriefCandidateRow,
  type LeadRow,
  type OrdinaryStepRow,
  type PublisherRow,
  type BriefSectionRow,
} from './brief-rows.js';
import { briefTexts } from './brief-texts.js';
import { itemHeadline } from './item-texts.js';
import { pickItems } from './pick-items.js';
import { alignedWith } from './mentioned-change.js';
import { wordingOf } from '../../../domain/figures/wording.js';

/**
 * Rewrites the briefs of affected days from the published changes, independent of the order of imports. A day
 * without changes loses its brief.
 */
export async function refreshBriefs(client: pg.PoolClient, publication: Publication): Promise<number> {
  const { rows } = await client.query<{ day: string }>(AFFECTED_DAYS);
  if (rows.length === 0) return 0;
  await client.query(GATHER);
  await client.query('DELETE FROM briefs WHERE day = ANY ($1)', [rows.map(({ day }) => day)]);
  for (const { day } of rows) await writeBrief(client, day, publication.dataVersion);
  return rows.length;
}

async function writeBrief(client: pg.PoolClient, day: string, dataVersion: number): Promise<void> {
  const ask = async <Row extends object>(sql: string, parameter: unknown = day): Promise<Row[]> =>
    (await client.query<Row>(sql, [parameter])).rows;
  const sections = await ask<BriefSectionRow>(SECTIONS);
  if (sections.length === 0) return;
  const { items: picked, omitted } = pickItems(await ask<BriefCandidateRow>(CANDIDATES), sections);
  const ids = picked.map(({ members }) => members[0]);
  const leading = await ask<LeadRow>(LEADS, ids);
  const leads = new Map(leading.map((lead) => [lead.id, worded(lead)]));
  const items = picked.map((item) => {
    const lead = leads.get(item.members[0]);
    if (lead === undefined) throw new Error(`There is no change ${item.members[0]}`);
    return { ...item, change: alignedWith(leading, lead), summary: lead.summary };
  });
  const { title, summary } = briefTexts({
    day,
    items,
    largerSteps: (await ask<OrdinaryStepRow>(LARGER_STEPS)).map((step) => ({ ...step, period: day })),
    changes: sections.reduce((sum, { changes }) => sum + changes, 0),
    smaller: (await ask<{ count: number }>(SMALLER))[0]?.count ?? 0,
    publishers: (await ask<PublisherRow>(PUBLISHERS)).map((row) => ({
      name: creditOf(row),
      basis: row.basis,
    })),
  });
  const [compiled] = await ask<{ day: string | null }>(COMPILED_UNTIL);
  await client.query(STORE, [
    day,
    JSON.stringify(title),
    JSON.stringify(summary),
    dataVersion,
    JSON.stringify(sections.map(({ key }) => ({ coverage: key, omitted: omitted.get(key) ?? 0 }))),
    JSON.stringify(
      items.map((item, index) => ({
        rank: index + 1,
        coverage: item.section,
        headline: itemHeadline(item),
        change_id: item.members[0],
        changes: item.changes,
        members: item.members,
      })),
    ),
    compiled?.day ?? null,
  ]);
}

const worded = (lead: LeadRow): LeadRow =>
  lead.wording === null ? lead : { ...lead, wording: wordingOf(lead.wording, lead.aggregate) };

/** PostgreSQL checks foreign keys at the end of the statement, so one statement writes all four tables. */
const STORE = `
  WITH brief AS (
    INSERT INTO briefs (day, title, summary, data_version, compiled_until)
    VALUES ($1::date, $2::jsonb, $3::jsonb, $4, $7::date)
  ), sections AS (
    INSERT INTO brief_sections (day, coverage, omitted)
    SELECT $1::date, coverage, omitted FROM jsonb_to_recordset($5) AS s (coverage text, omitted integer)
  ), given AS (
    SELECT * FROM jsonb_to_recordset($6) AS i (
      rank smallint, coverage text, headline jsonb, change_id text, changes integer, members jsonb)
  ), items AS (
    INSERT INTO brief_items (day, rank, coverage, headline, change_id, changes)
    SELECT $1::date, rank, coverage, headline, change_id, changes FROM given
  )
  INSERT INTO brief_item_changes (day, rank, ordinal, change_id)
  SELECT $1::date, rank, m.ordinal, m.id
  FROM given CROSS JOIN LATERAL jsonb_array_elements_text(members) WITH ORDINALITY AS m (id, ordinal)`;
