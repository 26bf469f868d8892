import { post, toolCall } from '../rpc.js';

/** What a person asks, the calls that an assistant makes, and what is true. */
export interface Question {
  readonly id: string;
  readonly locale: string;
  readonly question: string;
  readonly calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  readonly answer: {
    /** True figures, names and days; `|` between spellings that are all true. */
    readonly has: readonly string[];
    /** The publisher and its licence. */
    readonly cites: readonly string[];
    /** Any of these makes the answer false. */
    readonly wrong: readonly string[];
    /** On the page that the answer links to. */
    readonly page?: readonly string[];
  };
}

export type Mark = 'ok' | 'partly' | 'not' | 'wrong';

export interface Evaluation {
  readonly id: string;
  readonly mark: Mark;
  readonly calls: number;
  /** What is missing or false. */
  readonly faults: readonly string[];
}

/** Evaluates by the text, which is what an assistant reads. */
export async function evaluate(url: string, key: string, question: Question): Promise<Evaluation> {
  const { id, calls, answer } = question;
  const texts: string[] = [];
  for (const [tool, args] of calls) {
    const { body } = await post(url, toolCall(tool, args), { key });
    texts.push(body.result?.content[0]?.text ?? JSON.stringify(body.error));
  }
  // The exact values behind rounded ones would part what the answers expect together.
  const text = texts
    .join('\n')
    .replace(/ \[-?\d[^\]]*\]/g, '')
    .replaceAll('−', '-');
  const lacking = answer.has.filter((part) => !part.split('|').some((one) => text.includes(one)));
  const uncited = answer.cites.filter((part) => !text.includes(part));
  const wrong = answer.wrong.filter((part) => text.includes(part));
  const unlinked = await missingOnPages(url, text, answer.page);
  const mark: Mark =
    wrong.length > 0
      ? 'wrong'
      : lacking.length + uncited.length + unlinked.length === 0
        ? 'ok'
        : lacking.length === answer.has.length
          ? 'not'
          : 'partly';
  const faults = [
    ...lacking.map((part) => `lacks ${part}`),
    ...uncited.map((part) => `does not cite ${part}`),
    ...wrong.map((part) => `says ${part}`),
    ...unlinked,
  ];
  return { id, mark, calls: calls.length, faults };
}

/** The pages that the text links to, opened as a person opens them: without a key. */
async function missingOnPages(url: string, text: string, wanted?: readonly string[]): Promise<string[]> {
  if (wanted === undefined) return [];
  const links = text.match(new RegExp(`${url}/[^\\s）)]+`, 'g')) ?? [];
  const page = links.find((link) => !link.includes('/api/'));
  if (page === undefined) return ['links to no page'];
  const response = await fetch(page);
  const body = await response.text();
  if (response.status !== 200) return [`${page} answers ${String(response.status)}`];
  return wanted.filter((part) => !showsRounded(body, part)).map((part) => `${page} lacks ${part}`);
}

/** Tables of pages are rounded to the decimals of their column, and have separators where the language writes them. */
function showsRounded(page: string, wanted: string): boolean {
  const [body = '', figure = ''] = [page, wanted].map((text) => text.replaceAll(/(?<=\d),(?=\d{3})/g, ''));
  const rounded = [1, 2, 3, 4].map((digits) => Number(figure).toFixed(digits));
  return body.includes(figure) || (figure.includes('.') && rounded.some((one) => body.includes(one)));
}

/** One line a evaluation that is not `ok`, then the counts. */
export function table(evaluations: readonly Evaluation[]): string {
  const count = (mark: Mark) => evaluations.filter((one) => one.mark === mark).length;
  const faulty = evaluations.filter(({ mark }) => mark !== 'ok');
  return [
    ...faulty.map(({ id, mark, faults }) => `${id} ${mark}: ${faults.join('; ')}`),
    `${String(evaluations.length)} questions: ${String(count('ok'))} ok, ${String(count('partly'))} partly, ${String(count('not'))} not, ${String(count('wrong'))} wrong; ${callsPerQuestion(evaluations).toFixed(2)} calls on average`,
  ].join('\n');
}

export const callsPerQuestion = (evaluations: readonly Evaluation[]): number =>
  evaluations.reduce((sum, { calls }) => sum + calls, 0) / evaluations.length;
