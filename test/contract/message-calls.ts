import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCES = join(__dirname, '../../src');

/** A call that names its message and all of its arguments, so that both can be compared. */
export interface MessageCall {
  readonly place: string;
  /** As in the call: a key of `Wording` without its file. */
  readonly key: string;
  readonly args: readonly string[];
}

/** Calls of `say(locale, 'key', { … })` whose key is a literal and whose arguments are all named. */
export function messageCalls(): MessageCall[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((name) => {
    const text = readFileSync(join(SOURCES, name), 'utf8');
    if (!text.includes('.say(')) return [];
    const calls: MessageCall[] = [];
    const visit = (node: ts.Node): void => {
      const call = callAt(node);
      if (call !== null) calls.push({ place: name, ...call });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
    return calls;
  });
}

function callAt(node: ts.Node): Omit<MessageCall, 'place'> | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const [, key, sent] = node.arguments;
  if (node.expression.name.text !== 'say' || key === undefined || !ts.isStringLiteral(key)) return null;
  if (sent === undefined) return { key: key.text, args: [] };
  if (!ts.isObjectLiteralExpression(sent)) return null;
  const names = sent.properties.map(({ name }) => name?.getText());
  return names.every((name) => name !== undefined) ? { key: key.text, args: names } : null;
}
