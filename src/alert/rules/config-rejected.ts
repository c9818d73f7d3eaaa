import { formatMoment } from '../../kernel/timestamp.ts';
import type { SelfRule } from '../rule.ts';

/** The configuration file is rejected, so an earlier configuration is in force. */
export const configRejected: SelfRule = {
  name: 'config_rejected',
  about: 'The configuration file is rejected, and an earlier configuration is in force.',
  scope: 'self',
  severity: 'warning',
  // Longer than an editor needs to correct a typo.
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'The configuration file is rejected',
  description:
    'graphwarden has rejected its configuration file since {{when}} and uses the last accepted configuration: {{problem}}. Policies that the file removes, changes or sets to observe abort no queries. Run graphwarden check-config and correct the file.',
  resolved: 'The configuration file is in force.',
  twin: 'graphwarden_config_last_reload_successful == 0',
  *evaluate({ configRejected: rejected }) {
    if (rejected === undefined) return;
    const { since, problem } = rejected;
    yield { labels: {}, facts: { when: formatMoment(since), problem }, since };
  },
};
