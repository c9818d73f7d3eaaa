import { type Matcher, matches } from '../../alert/matcher.ts';
import type { Rule } from '../../alert/rule.ts';
import { type AlertReport, maxPreviewedAlerts, type SilencePreviewReport } from '../../api/alerts.ts';
import type { MissingClusters } from '../../api/fields.ts';
import {
  alertLabelNames,
  configuredLabelNames,
  type LabelSettings,
  labelNameProblem,
  matcherWarnings,
} from '../../config/alert-labels.ts';
import { heartbeatRule } from '../../model/alert.ts';

/** What determines which alerts a silence can match. */
export interface SilenceContext {
  readonly rules: readonly Rule[];
  readonly settings: LabelSettings;
  /** Alerts of all clusters, apart from those that are missing. */
  readonly alerts: readonly AlertReport[];
  readonly missing: readonly MissingClusters[];
}

/** Returns the pending and firing alerts that a silence matches now, and the warnings about its matchers. Nothing silences the heartbeat. */
export function previewSilence(matchers: readonly Matcher[], context: SilenceContext): SilencePreviewReport {
  const matched = context.alerts.filter(
    ({ phase, rule, labels }) => phase !== 'resolved' && rule !== heartbeatRule && matches(matchers, labels),
  );
  const warnings = matcherWarnings(matchers, context.settings, context.rules).map(({ index, message, meant }) => {
    const hint = meant === undefined ? '' : `; did you mean '${meant.value}'?`;
    return `matchers.${index} ${message}${hint}`;
  });
  const alerts = matched.slice(0, maxPreviewedAlerts);
  const missing = context.missing.length === 0 ? {} : { missing: context.missing };
  return { matchedAlerts: matched.length, alerts, warnings, ...missing };
}

/**
 * Returns the problem of the first matcher on a label that no alert has; undefined if all labels are known. The labels of
 * current alerts are known too: they may be from before a reload.
 */
export function unknownLabelProblem(
  matchers: readonly Matcher[],
  { rules, settings, alerts }: SilenceContext,
): string | undefined {
  const current = alerts.flatMap(({ labels }) => Object.keys(labels));
  const known = alertLabelNames(rules, [...configuredLabelNames(settings), ...current]);
  for (const [index, { name }] of matchers.entries()) {
    const problem = labelNameProblem(name, known);
    if (problem !== undefined) return `matchers.${index} ${problem.message} (${problem.hint})`;
  }
  return undefined;
}
