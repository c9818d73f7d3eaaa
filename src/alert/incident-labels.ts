import type { Instant } from '../kernel/time.ts';
import { alertLabels } from './active-alert.ts';
import type { RuleSettings } from './alerting.ts';
import type { Evaluation } from './evaluation.ts';
import type { AlertingState, Incident } from './incident.ts';
import { isNotified, isSameLabels, notifiedLabels, updatesOf, withFormerLabels } from './incident-content.ts';

/** Labels of the configuration with which labels of an incident were compared. */
interface ComparedLabels {
  readonly ofRule: RuleSettings['labels'];
  readonly ofCluster: Evaluation['labels'];
}

/** Cached, because thousands of incidents are compared in each evaluation. */
const compared = new WeakMap<Incident['labels'], ComparedLabels>();

/** Returns the incidents; those of the evaluated cluster have the labels of the present configuration. */
export function withConfiguredLabels(
  incidents: AlertingState['incidents'],
  { cluster, labels: ofCluster, rules }: Pick<Evaluation, 'cluster' | 'labels' | 'rules'>,
  now: Instant,
): AlertingState['incidents'] {
  const changed = new Map<string, Incident>();
  for (const [key, incident] of incidents) {
    const ofRule = rules.get(incident.rule)?.labels;
    if (incident.cluster !== cluster || ofRule === undefined) continue;
    const known = compared.get(incident.labels);
    if (known?.ofRule === ofRule && known.ofCluster === ofCluster) continue;
    const labels = alertLabels(incident, ofRule, ofCluster);
    const isSame = isSameLabels(labels, incident.labels);
    compared.set(isSame ? incident.labels : labels, { ofRule, ofCluster });
    if (!isSame) changed.set(key, relabeled(incident, labels, now));
  }
  return changed.size === 0 ? incidents : new Map([...incidents, ...changed]);
}

/**
 * Returns an incident with other labels. Its texts are rendered again. Receivers that identify alerts by their labels end the
 * alert with the former labels.
 */
function relabeled(incident: Incident, labels: Incident['labels'], { wall: endsAt }: Instant): Incident {
  const { rendered: _, ...rest } = incident;
  const next = { ...rest, labels };
  if (!isNotified(incident)) return next;
  const updates = updatesOf(incident);
  const formerLabels = updates.formerLabels.map((one) => ({ endsAt, ...one }));
  const former = { labels: notifiedLabels(incident), endsAt };
  return { ...next, updates: withFormerLabels({ ...updates, formerLabels }, former, notifiedLabels(next)) };
}

/**
 * Whether receivers that identify alerts by their labels need the present ones. An update contains the labels of another
 * cause, but a suppressed incident has none.
 */
export function isRelabeled(before: Incident | undefined, next: Incident, isSuppressed: boolean): boolean {
  const isPassedOn = next.suppression === undefined || before?.updates?.formerLabels !== next.updates?.formerLabels;
  if (isSuppressed && next.updates !== undefined && isPassedOn) return true;
  return before?.phase === 'firing' && before.labels !== next.labels;
}
