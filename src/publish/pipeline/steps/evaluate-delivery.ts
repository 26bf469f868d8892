import { auditDelivery, changedCells } from '../../audit/audit-delivery.js';
import { planQuarantine, takeOut, type Quarantine } from '../../audit/quarantine.js';
import type { Permissions } from '../../content/content-handler.js';
import type { AuditedCell, Finding } from '../../publication/finding.js';
import type { ImportOptions } from '../../publication/import-options.js';
import type { PublishContext } from '../../publication/publish-context.js';
import { compareAgain, type Comparison } from './compare-content.js';
import type { ReadContent } from './read-delivery.js';

/** Changed figures that a dry run lists. */
const MOST_DIFFERENCES = 1_000;

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly differences: readonly AuditedCell[];
  readonly isHeld: boolean;
  /** Null: nothing of the delivery waits, or all of it. */
  readonly quarantine: Quarantine | null;
  /** Of what does not wait. */
  readonly comparison: Comparison;
}

/** Audits what the delivery changes, and takes out what waits. */
export async function evaluateDelivery(
  context: PublishContext,
  content: ReadContent,
  comparison: Comparison,
  publisher: string,
  allowed: Permissions,
  options: ImportOptions,
): Promise<Judgement> {
  const { client, delivery } = context;
  const { files } = content.observations;
  const findings = comparison.kind === null ? [] : await audited(context, content);
  const differences = options.dryRun === true ? await changedCells(client, files, MOST_DIFFERENCES) : [];
  const judged = { findings, differences, isHeld: false, quarantine: null, comparison };
  if (findings.length === 0 || options.accept !== undefined) return judged;
  const quarantine = await planQuarantine(client, publisher, delivery, findings);
  if (quarantine === null) return { ...judged, isHeld: true };
  await takeOut(client, quarantine);
  return { ...judged, quarantine, comparison: await compareAgain(context, content, comparison.replaced, allowed) };
}

async function audited(
  { client, delivery, unmapped }: PublishContext,
  { observations, handlers }: ReadContent,
): Promise<Finding[]> {
  const findings = await auditDelivery(client, delivery.vintage, observations.files, unmapped.list());
  for (const handler of handlers) findings.push(...((await handler.audit?.()) ?? []));
  return findings;
}
