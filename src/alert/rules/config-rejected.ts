import { formatMoment } from '../../kernel/timestamp.ts';
import type { SelfRule } from '../rule.ts';

/** The configuration file or the web config file is rejected, so an earlier version is in force. */
export const configRejected: SelfRule = {
  name: 'config_rejected',
  about: 'The configuration file or the web config file is rejected, and an earlier version is in force.',
  scope: 'self',
  severity: 'warning',
  // Longer than an editor needs to correct a typo.
  for: 60_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: [],
  summary: 'A configuration file is rejected',
  description:
    'graphwarden has rejected its configuration file or its web config file since {{when}} and uses the last accepted version: {{problem}}. Policies that the file removes, changes or sets to observe abort no queries. Run graphwarden check-config and correct the file.',
  resolved: 'The configuration file and the web config file are in force.',
  twin: 'graphwarden_config_last_reload_successful == 0',
  twinTexts: {
    description:
      'graphwarden rejects its configuration file or its web config file and uses the last accepted version. Policies that the file removes, changes or sets to observe abort no queries. Its status page shows the first problem. Run graphwarden check-config and correct the file.',
  },
  *evaluate({ configRejected: rejected }) {
    if (rejected === undefined) return;
    const { since, problem } = rejected;
    yield { labels: {}, facts: { when: formatMoment(since), problem }, since };
  },
};
