/** How much a statement asks of its reader, from nothing to everything. */
export const tones = ['plain', 'good', 'warning', 'bad'] as const;

/** One of {@link tones}. */
export type Tone = (typeof tones)[number];

/** One thing that is said about a cluster, in words; not yet HTML, so nothing in it is to be trusted. */
export interface Statement {
  readonly tone: Tone;
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What is said about one side of a cluster. */
export interface Topic {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** Builds a {@link Statement}. */
export function say(tone: Tone, text: string, hint = ''): Statement {
  return hint === '' ? { tone, text } : { tone, text, hint };
}

/** The tone that asks most. */
export function gravest(statements: readonly Statement[]): Tone {
  const ranks = statements.map(({ tone }) => tones.indexOf(tone));
  return tones[Math.max(0, ...ranks)] ?? 'plain';
}
