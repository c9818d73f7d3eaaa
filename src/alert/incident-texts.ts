import type { Instant, Millis } from '../kernel/time.ts';
import type { AlertingSettings, RecentEvent } from './alerting.ts';
import type { Evaluation } from './evaluation.ts';
import type { Incident } from './incident.ts';
import { isSameLabels } from './incident-content.ts';
import { dashboardUrl, runbookUrlOf } from './links.ts';
import { relatedEvents } from './related-events.ts';
import type { Rule } from './rule.ts';
import { render } from './templates.ts';

/** Renders the annotations of an incident: the texts of the configuration or of the rule, and links. */
export function renderAnnotations(
  incident: Pick<Incident, 'rule' | 'labels' | 'facts' | 'identity' | 'startsAt'>,
  rule: Rule,
  settings: Pick<AlertingSettings, 'rules' | 'templates' | 'runbookUrl' | 'grafanaUrl'>,
): Readonly<Record<string, string>> {
  const values = { ...incident.facts, ...incident.labels, ...incident.identity };
  const plain = { summary: render(rule.summary, values), description: render(rule.description, values) };
  const own = settings.rules[rule.name]?.templates;
  const all = { ...values, ...plain };
  return {
    summary: render(own?.summary ?? settings.templates.summary ?? '{{summary}}', all),
    description: render(own?.description ?? settings.templates.description ?? '{{description}}', all),
    runbook_url: `${settings.runbookUrl ?? runbookUrlOf()}#${rule.name}`,
    ...(settings.grafanaUrl === undefined ? {} : { dashboard_url: dashboardUrl(incident, rule, settings.grafanaUrl) }),
  };
}

/** Most incidents whose texts one step renders again; those that are new are exempt. */
const maxRenderedAgain = 50;

/** Age of a text from which on it is rendered again, if many incidents have other facts than their texts. */
const textAge: Millis = 60_000;

/** Renders the annotations of one incident. */
export type RenderIncident = (incident: Incident) => Incident['annotations'] | undefined;

/**
 * Returns incidents with new annotations: those that are new or begin to fire, and those whose facts changed. If thousands
 * have changed facts, such as how long they last, each step renders a share of them: no receiver gets all of them.
 */
export function withCurrentTexts(
  incidents: readonly Incident[],
  before: ReadonlyMap<string, Incident>,
  renderTexts: RenderIncident,
  { mono }: Instant,
): readonly Incident[] {
  const changed = incidents.filter((one) => one.rendered === undefined || !isSameLabels(one.rendered.facts, one.facts));
  const isNew = ({ identityKey, phase }: Incident) => before.get(identityKey)?.phase !== phase;
  const isDue = ({ rendered }: Incident) => rendered === undefined || mono - rendered.at >= textAge;
  let renderedAgain = 0;
  return changed.flatMap((one) => {
    if (!isNew(one) && changed.length > maxRenderedAgain) {
      if (renderedAgain === maxRenderedAgain || !isDue(one)) return [];
      renderedAgain += 1;
    }
    const annotations = renderTexts(one);
    if (annotations === undefined) return [];
    return [
      { ...one, annotations: { ...annotations, ...lastingTexts(one) }, rendered: { facts: one.facts, at: mono } },
    ];
  });
}

/** Adds the state after an incident, for its resolve: the text of the rule with facts of the last evaluation, if the node or service still exists. */
export function withCurrentState(
  incident: Incident,
  rule: Pick<Rule, 'resolved'> | undefined,
  evaluation: Pick<Evaluation, 'current' | 'removed'>,
): Incident {
  const { facts, labels, identity } = incident;
  const values = { ...facts, ...labels, ...identity, ...evaluation.current(incident.rule, identity) };
  const current = evaluation.removed(identity) ?? render(rule?.resolved ?? 'The condition no longer holds.', values);
  return { ...incident, annotations: { ...incident.annotations, current_state: current } };
}

/** Adds the texts that an incident keeps from its beginning: its title, and what happened shortly before. */
export function withBeginning(incident: Incident, events: readonly RecentEvent[]): Incident {
  // Thousands of effects may begin at once; only their cause is notified.
  const related = incident.lead === undefined ? relatedEvents(events, incident) : '';
  const { summary: title = '' } = incident.annotations;
  const lasting = { title, ...(related === '' ? {} : { related_events: related }) };
  return { ...incident, annotations: { ...incident.annotations, ...lasting } };
}

/** Returns the annotations that stay the same until an incident is resolved. */
function lastingTexts({ annotations }: Pick<Incident, 'annotations'>): Incident['annotations'] {
  const kept = ['title', 'related_events'].filter((name) => Object.hasOwn(annotations, name));
  return Object.fromEntries(kept.map((name) => [name, annotations[name] ?? '']));
}

/** Adds the state after an incident whose cluster or rule left the configuration. */
export function withoutEvaluation(incident: Incident): Incident {
  const current = 'graphwarden no longer evaluates this alert: its cluster or rule left the configuration.';
  return { ...incident, annotations: { ...incident.annotations, current_state: current } };
}
