import { formatElapsed } from '../../kernel/duration.ts';
import { formatMinute } from '../../kernel/timestamp.ts';
import type { ClusterRule } from '../rule.ts';
import { lastSuccessMetric, timeOrStart, timeSinceSuccess } from './collector-freshness.ts';

/** A check that does not run finds nothing. A check that is not configured is never overdue. */
export const checkOverdue: ClusterRule = {
  name: 'check_overdue',
  about: 'No consistency check has finished for a long time.',
  scope: 'cluster',
  severity: 'warning',
  for: 0,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'older_than',
      about: 'Age of the last run above which the alert fires.',
      unit: 'seconds',
      value: 8 * 86_400,
    },
  ],
  labels: [],
  needs: [],
  families: [],
  summary: 'Consistency checks of {{cluster_name}} are overdue',
  description:
    'No consistency check has finished for {{age}} ({{reason}}). Check the schedule, the timeout and the privileges of the collector consistency.',
  resolved: '{{finished}}.',
  current({ cluster, collectors }) {
    const view = collectors.find(({ collector }) => collector === 'consistency');
    if (view === undefined) return { finished: `No consistency checks of ${cluster} are configured` };
    const { lastSuccess } = view;
    const when = lastSuccess === undefined ? '' : ` at ${formatMinute(lastSuccess)}`;
    return { finished: `A consistency check of ${cluster} finished${when}` };
  },
  twin: `time() - ${timeOrStart(`${lastSuccessMetric}{collector="consistency"}`)} > {{older_than}}`,
  twinTexts: {
    description:
      'No consistency check has finished for {{age}}. Check the schedule, the timeout and the privileges of the collector consistency.',
  },
  *evaluate({ collectors }, { older_than: limit = 0 }, now) {
    for (const view of collectors) {
      if (view.collector !== 'consistency' || timeSinceSuccess(view, now.wall) <= limit * 1000) continue;
      const reason = view.message === '' ? 'it was not run' : view.message;
      yield { labels: {}, facts: { age: formatElapsed(timeSinceSuccess(view, now.wall)), reason } };
    }
  },
};
