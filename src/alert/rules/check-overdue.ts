import type { ClusterRule } from '../rule.ts';
import { blindFor } from './readings.ts';
import { lengthOf } from './words.ts';

/** A check that nobody runs finds nothing. Where none is configured, none is overdue. */
export const checkOverdue: ClusterRule = {
  name: 'check_overdue',
  about: 'The consistency checks have not been run for long.',
  scope: 'cluster',
  severity: 'warning',
  hold: 0,
  keepFiring: 60_000,
  thresholds: [
    { name: 'older_than', about: 'Age of the last run; a week and a day.', unit: 'seconds', value: 8 * 86_400 },
  ],
  labels: [],
  needs: [],
  families: [],
  summary: 'The consistency checks of {{cluster_name}} are overdue',
  description:
    'No consistency check has come to an end for {{age}} ({{reason}}). Look at the collector consistency: its calendar, its time-out and its privileges.',
  twin: 'time() - max without (check, graph, partition, engine) (graphdb_check_last_run_timestamp_seconds) > {{older_than}}',
  *judge({ collectors }, { older_than: limit = 0 }, now) {
    for (const view of collectors) {
      if (view.collector !== 'consistency' || blindFor(view, now.wall) <= limit * 1000) continue;
      const reason = view.message === '' ? 'it was not run' : view.message;
      yield { labels: {}, facts: { age: lengthOf(blindFor(view, now.wall)), reason } };
    }
  },
};
