import type { Metric, Sample } from '../../../metric/metric.ts';
import type { StateColor } from '../../../model/service.ts';
import { list } from './words.ts';

/** Severities of a statement, in ascending order. */
export const tones = ['plain', 'good', 'warning', 'bad'] as const;

/** One of {@link tones}. */
export type Tone = (typeof tones)[number];

/** One sentence about a cluster. It is plain text that is not escaped yet. */
export interface Statement {
  readonly tone: Tone;
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Color of the status that the sentence is about; absent: the color of the tone. */
  readonly color?: StateColor;
}

/** Statements about one aspect of a cluster. */
export interface Topic {
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** Builds a {@link Statement}. */
export function say(tone: Tone, text: string, hint = ''): Statement {
  return hint === '' ? { tone, text } : { tone, text, hint };
}

/** Returns the most severe tone. */
export function gravest(statements: readonly Statement[]): Tone {
  const ranks = statements.map(({ tone }) => tones.indexOf(tone));
  return tones[Math.max(0, ...ranks)] ?? 'plain';
}

/** Latest samples of one collector from one node, or from the cluster if `node` is `''`. */
export interface Reported {
  readonly node: string;
  /** When it was read, ms since the epoch. */
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** Latest samples of one collector from all nodes. */
export interface Latest {
  readonly collector: string;
  readonly reported: readonly Reported[];
  /** Nodes without data because the last poll failed or is overdue. */
  readonly silent: readonly string[];
  /** True if some node was not polled yet. */
  readonly waiting: boolean;
}

/** The samples of one family. */
export function* samplesOf({ samples }: Reported, name: Metric['name']): Generator<Sample> {
  for (const sample of samples) if (sample.metric.name === name) yield sample;
}

/** Describes which nodes are missing in `latest`; empty if it is complete. */
export function gaps({ reported, silent, waiting, collector }: Latest): readonly Statement[] {
  const nodes = silent.filter((node) => node !== '');
  if (nodes.length > 0 && reported.length > 0) return [say('plain', `Nothing is known of ${list(nodes)}`)];
  if (silent.length > 0) return [say('plain', `Not known: reading '${collector}' fails`)];
  return waiting && reported.length === 0 ? [say('plain', 'Not read yet')] : [];
}
