import {
  strictestKind,
  type ContentEvaluation,
  type ImportKind,
  type Permissions,
} from '../../content/content-handler.js';
import { evaluateVintage, type VintageEvaluation } from '../../content/observations/evaluate-vintage.js';
import { compareWithHeld, type Replaced } from '../../content/observations/validity-ranges.js';
import type { PublishContext } from '../../publication/publish-context.js';
import type { ReadContent } from './read-delivery.js';

export interface Comparison {
  /** `null`: the database holds all of it already. */
  readonly kind: ImportKind | null;
  readonly observations: VintageEvaluation;
  /** The publisher whose vintage is replaced as a whole. */
  readonly replaced: Replaced;
  /** Of the content handlers. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Compares staged content with what the database holds. @throws ImportError for what the operator has not allowed */
export async function compareContent(
  context: PublishContext,
  content: ReadContent,
  allowed: Permissions,
  publisher: string,
): Promise<Comparison> {
  const replaced = allowed.replace ? publisher : null;
  await compareWithHeld(context.client, context.delivery.vintage, content.observations.closes, replaced);
  return compareAgain(context, content, replaced, allowed);
}

/** The comparison without the series and entities that were taken out since. */
export async function compareAgain(
  { client, delivery }: PublishContext,
  { observations: staged, handlers }: ReadContent,
  replaced: Replaced,
  allowed: Permissions,
): Promise<Comparison> {
  const observations = await evaluateVintage(client, delivery, allowed);
  const others: ContentEvaluation[] = [];
  for (const handler of handlers) others.push(await handler.compare(allowed));
  const bySource = staged.newSources > 0 ? 'import' : null;
  return {
    kind: strictestKind([observations.kind, bySource, ...others.map(({ kind }) => kind)]),
    observations,
    replaced: observations.kind === 'replace' ? replaced : null,
    counts: Object.fromEntries(others.flatMap(({ counts }) => Object.entries(counts))),
  };
}
