import type { AbortView } from '../../model/guard.ts';
import type { ClusterRule } from '../rule.ts';
import { abortLabels, factsOf, isRestored, labelsOf } from './abort-words.ts';
import { hasCounted } from './counted.ts';

/** By default, in seconds; to Prometheus this is all there is. */
const usuallyShown = 300;

/** The call, and what came of it, also where none was made. */
const seen = (who: string): string =>
  ['graphwarden_guard_abort_attempts_total', 'graphwarden_guard_outcomes_total']
    .map((family) => hasCounted({ family, who, within: usuallyShown, memory: '1h' }))
    .join(' or ');

/**
 * The guard takes a query away from somebody: told from the intent on, so before the call leaves. Nothing is wrong
 * with the cluster by that; whoever hears of it later has to find out why the client got an error.
 */
export const queryAborted: ClusterRule = {
  name: 'query_aborted',
  about:
    'The guard, or somebody by hand, aborts a query: begins before the call, ends a while after the outcome is known.',
  scope: 'cluster',
  severity: 'warning',
  hold: 0,
  keepFiring: 60_000,
  thresholds: [
    {
      // Alertmanager tells of what joins a group after up to 5 minutes, and never of what is over by then.
      name: 'shown_for',
      about: 'How long it goes on firing once the outcome is known, so that everybody hears of it.',
      unit: 'seconds',
      value: usuallyShown,
    },
  ],
  labels: abortLabels,
  needs: [],
  families: [],
  knows: isRestored,
  summary: '{{query}} of {{graph}} {{state}} on {{node}} of {{cluster_name}}',
  description:
    '{{outcome}}. Request {{request_id}} had run for {{age}} with {{granted}} when {{decider}} decided to abort it, at {{when}}. {{prevention}}.',
  twin: seen('policy!=""'),
  otherTwins: [{ severity: 'info', twin: seen('policy=""') }],
  *judge({ guard }, { shown_for: shownFor = 0 }, now) {
    for (const abort of guard?.aborts ?? []) {
      if (isOver(abort, now.wall - shownFor * 1000)) continue;
      yield {
        labels: labelsOf(abort),
        facts: factsOf(abort),
        since: abort.at,
        receivers: abort.notify,
        // Whoever did it by hand knows of it.
        ...(abort.manual === undefined ? {} : { severity: 'info' as const }),
      };
    }
  },
};

function isOver({ outcome, at, endedAt = at }: AbortView, before: number): boolean {
  return outcome !== undefined && endedAt <= before;
}
