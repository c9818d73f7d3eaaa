import type { HeardList } from '../../graphdb/overheard.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Pressure } from '../gates.ts';
import type { GateSource, GuardSettings, Policy } from '../policy.ts';
import { clausesOf, clauseTest } from './clauses.ts';
import { type TapeEvent, type TapeHeader, tapeFormat, tapeVersion } from './format.ts';
import { createRedaction } from './redaction.ts';

/** What is to be recorded. */
export interface Recorded
  extends Pick<TapeHeader, 'cluster' | 'nodes' | 'instances' | 'interval' | 'graphs' | 'guard'> {
  readonly settings: GuardSettings;
  /** The pressures that are read. */
  readonly pressures: readonly GateSource[];
  /** `host:port` of each node, as configured. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Turns what is heard of a cluster into lines of a recording, without anything that is a user's. */
export interface Recording {
  readonly header: TapeHeader;
  listed(list: HeardList): TapeEvent;
  pressed(pressure: Pressure, at: Instant): TapeEvent;
  graphs(names: readonly string[], at: Instant): TapeEvent;
}

/** The policies of a guard that concern a cluster. */
export function concerning({ policies }: GuardSettings, cluster: string): readonly Policy[] {
  return policies.filter(({ clusters }) => clusters?.includes(cluster) !== false);
}

/** Begins a recording: what its policies ask of parameters is answered while it is made, once and for all. */
export function createRecording({ settings, pressures, addresses, ...about }: Recorded): Recording {
  const policies = concerning(settings, about.cluster);
  const redact = createRedaction(clauseTest(policies));
  return {
    header: {
      format: tapeFormat,
      version: tapeVersion,
      ...about,
      clauses: clausesOf(policies),
      pressures,
    },
    listed: ({ node, answer, started, received }) => {
      const at = whole(received);
      if (!answer.ok) return { event: 'unlisted', node, at, ...troubleOf(answer.error) };
      const address = addresses[node] ?? '';
      return { event: 'listed', node, started: whole(started), at, address, list: redact(node, answer.value) };
    },
    pressed: ({ node, source, value, interval }, at) => ({
      event: 'pressed',
      node,
      at: whole(at),
      source,
      ...(value === undefined ? {} : { value }),
      interval,
    }),
    graphs: (names, at) => ({ event: 'graphs', at: whole(at), names }),
  };
}

/** The server's own words are not kept. */
function troubleOf({ reason, code }: Failure): Pick<TapeEvent & { readonly event: 'unlisted' }, 'reason' | 'doubt'> {
  if (reason !== 'body') return { reason };
  return { reason, doubt: code === undefined ? 'malformed' : 'error' };
}

/** Whole milliseconds are enough, and shorter. */
function whole({ wall, mono }: Instant): Instant {
  return { wall: Math.round(wall), mono: Math.round(mono) };
}
