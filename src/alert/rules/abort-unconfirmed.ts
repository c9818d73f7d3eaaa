import type { ClusterRule } from '../rule.ts';
import { abortLabels, factsOf, isRestored, labelsOf } from './abort-words.ts';
import { hasCounted } from './counted.ts';

/** The server was asked to abort a query, and it may run on: the guard asks once, so a person has to see to it. */
export const abortUnconfirmed: ClusterRule = {
  name: 'abort_unconfirmed',
  about: 'A query still runs after its abort, or nobody can tell; ends an hour later, whatever became of the query.',
  scope: 'cluster',
  severity: 'critical',
  hold: 0,
  keepFiring: 60_000,
  thresholds: [],
  labels: abortLabels,
  needs: [],
  families: [],
  knows: isRestored,
  summary: '{{query}} of {{graph}} {{state}} on {{node}} of {{cluster_name}}',
  description:
    '{{outcome}}. Request {{request_id}} had run for {{age}} when {{decider}} decided to abort it, at {{when}}; it is not tried again. Look whether it is there: graphwarden queries --node {{node}}. If it is, abort it by hand: graphwarden abort {{cluster_name}}/{{node}} {{request_id}} --reason WHY. Where that does not end it either, a restart of the node is the last resort.',
  twin: hasCounted({
    family: 'graphwarden_guard_outcomes_total',
    who: 'outcome=~"still_running|unknown"',
    within: 3600,
    memory: '1d',
  }),
  *judge({ guard }) {
    for (const abort of guard?.aborts ?? []) {
      const { outcome, at, endedAt, notify: receivers } = abort;
      if (outcome !== 'still_running' && outcome !== 'unknown') continue;
      // Whoever was told that it is being aborted has to hear that it is not.
      yield { labels: labelsOf(abort), facts: factsOf(abort), since: endedAt ?? at, receivers };
    }
  },
};
