import type { AlertingSettings } from './alerting.ts';
import type { Incident } from './incident.ts';
import type { Rule } from './rule.ts';

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Replaces each `{{name}}`. A name without a value, such as a label that the alert lacks, becomes empty text. */
export function render(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholder, (_, inner: string) => {
    const name = inner.trim();
    return Object.hasOwn(values, name) ? (values[name] ?? '') : '';
  });
}

/** Returns the names that a template refers to. */
export function namesInTemplate(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, name = '']) => name.trim());
}

/** Whether all double braces of a template are closed. */
export function hasClosedBraces(template: string): boolean {
  return !/\{\{|\}\}/.test(template.replace(placeholder, ''));
}

/** Returns the names that templates of a rule may refer to, in addition to configured labels. */
export function templateNames({ scope, labels, summary, description }: Rule): readonly string[] {
  const facts = [summary, description].flatMap(namesInTemplate);
  const names = [...labels, ...facts, 'alertname', 'severity', 'summary', 'description'];
  return scope === 'cluster' ? [...names, 'cluster_name'] : names;
}

/** Where the entries of the runbook are; the name of the rule is the anchor. */
export const runbookUrl = 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md';

/** Renders the annotations of an incident: the texts of the configuration or of the rule, and links. */
export function renderAnnotations(
  episode: Pick<Incident, 'labels' | 'facts' | 'identity'>,
  rule: Rule,
  settings: Pick<AlertingSettings, 'rules' | 'templates'>,
  externalUrl: string | undefined,
): Readonly<Record<string, string>> {
  const values = { ...episode.facts, ...episode.labels, ...episode.identity };
  const plain = { summary: render(rule.summary, values), description: render(rule.description, values) };
  const own = settings.rules[rule.name]?.templates;
  const all = { ...values, ...plain };
  return {
    summary: render(own?.summary ?? settings.templates.summary ?? '{{summary}}', all),
    description: render(own?.description ?? settings.templates.description ?? '{{description}}', all),
    runbook_url: `${runbookUrl}#${rule.name}`,
    ...(externalUrl === undefined ? {} : { dashboard_url: `${externalUrl.replace(/\/+$/, '')}/` }),
  };
}
