// The grammar of a language, which its messages cannot express. A language is one file of this folder and one folder of messages.

/** The message files of sentences that publishing writes without the server's container. A test compares the languages. */
export interface Messages {
  readonly alerts: typeof import('../messages/en/alerts.json');
  readonly briefs: typeof import('../messages/en/briefs.json');
  readonly changes: typeof import('../messages/en/changes.json');
  readonly decisions: typeof import('../messages/en/decisions.json');
  readonly measures: typeof import('../messages/en/measures.json');
  readonly moves: typeof import('../messages/en/moves.json');
  readonly resources: typeof import('../messages/en/resources.json');
  readonly signals: typeof import('../messages/en/signals.json');
  readonly sources: typeof import('../messages/en/sources.json');
  readonly structures: typeof import('../messages/en/structures.json');
  readonly verbs: typeof import('../messages/en/verbs.json');
}

type Named = (year: string, number: number) => string;

/** The owner of a figure, before the figure's name. */
export interface Owner {
  readonly code: string;
  readonly name: string;
  /** Whether people call it an economy: a group of countries has no possessive. */
  readonly economy: boolean;
  /** Whether the sentence writes an article before the figure's name. */
  readonly definite: boolean;
}

export interface Voice {
  /** By BCP 47. */
  readonly tag: string;
  /** The same, with the country whose order of day and month it follows. */
  readonly dates: string;
  /** The clock of most of its readers: an IANA name, and a time by it; null: they live all over the world. */
  readonly clock: { readonly timeZone: string; readonly at: (moment: string) => string } | null;

  /** Between two sentences. */
  readonly space: string;
  readonly comma: string;
  readonly semicolon: string;
  /** Between economies, and between moves, that one clause compares. */
  readonly compared: string;
  /** A and B; A, B and C. */
  readonly list: (items: readonly string[]) => string;
  /** Moves of several prices, which contain commas. */
  readonly moves: (items: readonly string[]) => string;
  /** The sentence, or the sentences, of clauses without their ends. */
  readonly sentences: (clauses: readonly string[]) => string;
  readonly bracketed: (text: string, note: string) => string;
  /** A count of things in running text. */
  readonly count: (count: number) => string;

  readonly number: {
    /** The powers of ten that have a word, the largest first. */
    readonly scales: readonly (readonly [power: number, word: string])[];
    /** The words of ten thousand and its powers, where decimals of large numbers are written as whole parts: 1兆1200億. */
    readonly myriads: readonly string[] | null;
    /** The power of ten from which on a shortened number reads more easily. */
    readonly compactFrom: number;
    /** With more decimals than these, the next smaller word: 14351.3万人 rather than 1.43513亿人. */
    readonly mostDecimals: number;
    readonly grouped: boolean;
    readonly minus: string;
    /** Whether the sign stands before a unit before the number: -$98.63. */
    readonly signFirst: boolean;
  };
  /** Which of two figures in one sentence has the unit in full. */
  readonly fullUnit: 'first' | 'last';
  /** What a difference in years is counted in, where a figure in years has another word. */
  readonly years: ((n: string) => string) | null;
  /** The form of a currency after the number one: an amount is plural in English. */
  readonly oneOfCurrency: 'name' | 'amount';
  /** From the lower limit to the upper one: 4.00%–4.25%. */
  readonly range: (lower: string, upper: string) => string;
  readonly percentagePoints: (n: string) => string;
  /** Hundredths of a percentage point, as central banks and markets count; Japanese ones count in percent. */
  readonly basisPoints: (points: string, basis: string) => string;
  /** Whether markets count the steps of yields in basis points. */
  readonly yieldsInBasisPoints: boolean;
  /** A percentage that the numbers beside it, as they are printed, do not give exactly. */
  readonly about: (percent: string) => string;

  readonly period: {
    readonly fiscalYear: (year: string) => string;
    readonly year: (year: string) => string;
    readonly half: Named;
    readonly quarter: Named;
    readonly month: Named;
    readonly week: Named;
    readonly day: (year: string, month: number, day: number) => string;
    /** The year inside the name of one of its days or months. */
    readonly yearIn: (year: string) => string;
    /** With a preposition, where the language has one. */
    readonly when: (name: string, isDay: boolean) => string;
    /** A day before the noun that it belongs to. */
    readonly of: (day: string) => string;
  };

  /** A name inside a sentence. */
  readonly lowered: (name: string) => string;
  readonly articled: (name: string) => string;
  readonly shareOfGdp: (name: string) => string;
  /** A region in a running sentence, by its code. */
  readonly place: (code: string, name: string) => string;
  readonly owner: (owner: Owner) => string;
  /** The currency at the head of a line. @param shared whether several regions have it */
  readonly holder: (currency: string, region: string, shared: boolean) => string;
  /** A rate of growth below zero on both sides shrinks or grows: it does not rise to a value below zero. */
  readonly shrinksBelowZero: boolean;
  /** A change with its size, in a headline. */
  readonly step: (percent: string, verb: Readonly<Record<'past' | 'noun', string>>) => string;
  /** Of the verb of a change of direction: the past tense or the noun. */
  readonly turned: 'past' | 'noun';
  /** Of one revision among several of an economy that has been named. */
  readonly revisedOf: (region: string, isNamed: boolean) => string;
  /** Whether the revised figure of a balance says on which side it is. */
  readonly sidedRevision: boolean;

  readonly market: {
    readonly euro: string;
    /** A pair by its rate, which is the European Central Bank's reference and no market price. */
    readonly referenceRate: (pair: string, currency: string) => string;
    /** The subject of a sentence whose verb names the other currency. */
    readonly euroRate: string;
    /** A price or a yield as the subject of a sentence. */
    readonly named: (name: string) => string;
    /** The step against the other currency; null where a sentence names the pair. */
    readonly against: ((size: string, currency: string) => string) | null;
    /** Whether a sentence that names both currencies leaves out the unit. */
    readonly unitless: boolean;
    /** Whether a summary names the rate, because the pair would part the two figures from their verb. */
    readonly rateInSummary: boolean;
    /** Whether a title names the rate of a pair. */
    readonly rateInTitle: boolean;
    /** What a currency costs in US dollars, about. */
    readonly inDollars: (n: string, currency: string) => string;
  };
}
