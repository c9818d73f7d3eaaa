import { ClusterSight } from '../../src/app/cluster-sight.ts';
import type { HeardList } from '../../src/graphdb/overheard.ts';
import type { GuardSettings } from '../../src/guard/policy.ts';
import { guardSection } from '../../src/guard/section.ts';
import { ok } from '../../src/kernel/result.ts';
import type { Instant, Millis } from '../../src/kernel/time.ts';
import { entryOf, idAt } from '../guard/listed.ts';

/** A guard as it is written. */
export function guardOf(given: Readonly<Record<string, unknown>>): GuardSettings {
  return guardSection.parse(given);
}

/** Matches what runs for longer than 10 s. */
export const runaway = { name: 'runaway', when: { age: '> 10s' } };

/** A query that arrived `arrival` after the epoch, as a list has it that is read at `read`. */
export function entryAt(
  read: Millis,
  arrival: Millis,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return entryOf({ requestid: idAt(arrival), elapsedTime: read - arrival, ...changes });
}

/** What a node answered at once. */
export function heardAt(now: Instant, results: readonly unknown[], node = 'm1'): HeardList {
  const answer = ok({ error: false, results });
  return { cluster: 'prod', node, address: '10.0.0.1:14240', answer, started: now, received: now };
}

/** Eyes on a cluster `prod` whose node `m1` has its instance in the configuration. */
export function sightOf(guard: Readonly<Record<string, unknown>>): ClusterSight {
  return new ClusterSight({
    cluster: 'prod',
    guard: guardOf(guard),
    instances: { m1: 'RESTPP_1_1' },
    staleAfter: 15_000,
  });
}
