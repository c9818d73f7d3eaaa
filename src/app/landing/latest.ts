import type { Metric, Sample } from '../../metric/metric.ts';
import { type Statement, say } from './statement.ts';
import { list } from './words.ts';

/** What one collector last told of one node, or of the whole cluster where `node` is `''`. */
export interface Told {
  readonly node: string;
  /** When it was read, ms since the epoch. */
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** What one collector last told, everywhere. */
export interface Latest {
  readonly collector: string;
  readonly told: readonly Told[];
  /** The nodes of which nothing is known now, because reading failed or is overdue. */
  readonly silent: readonly string[];
  /** Some place was not read yet. */
  readonly waiting: boolean;
}

/** The samples of one family. */
export function* samplesOf({ samples }: Told, name: Metric['name']): Generator<Sample> {
  for (const sample of samples) if (sample.metric.name === name) yield sample;
}

/** What is missing in `latest`, in words; empty where it is whole. */
export function gaps({ told, silent, waiting, collector }: Latest): readonly Statement[] {
  const nodes = silent.filter((node) => node !== '');
  if (nodes.length > 0 && told.length > 0) return [say('plain', `Nothing is known of ${list(nodes)}`)];
  if (silent.length > 0) return [say('plain', `Not known: reading '${collector}' fails`)];
  return waiting && told.length === 0 ? [say('plain', 'Not read yet')] : [];
}
