import type { AlertingSettings } from './alerting.ts';
import type { Episode } from './episode.ts';
import type { Rule } from './rule.ts';
import { render } from './template.ts';

/** Where the entries of the runbook are; the name of the rule is the anchor. */
export const runbook = 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md';

/** A text and what went wrong with the template that should have made it. */
interface Texts {
  readonly annotations: Readonly<Record<string, string>>;
  readonly trouble?: string;
}

/** What is told of an episode: the texts of the rule or of the configuration, and links. */
export function textsOf(
  episode: Pick<Episode, 'labels' | 'facts' | 'identity'>,
  rule: Rule,
  settings: Pick<AlertingSettings, 'rules' | 'templates'>,
  externalUrl: string | undefined,
): Texts {
  const values = { ...episode.facts, ...episode.labels, ...episode.identity };
  const plain = { summary: plainText(rule.summary, values), description: plainText(rule.description, values) };
  const own = settings.rules[rule.name]?.templates;
  const summary = filled(own?.summary ?? settings.templates.summary, plain.summary, { ...values, ...plain });
  const description = filled(own?.description ?? settings.templates.description, plain.description, {
    ...values,
    ...plain,
  });
  const trouble = summary.trouble ?? description.trouble;
  return {
    annotations: {
      summary: summary.text,
      description: description.text,
      runbook_url: `${runbook}#${rule.name}`,
      ...(externalUrl === undefined ? {} : { dashboard_url: `${externalUrl.replace(/\/+$/, '')}/` }),
    },
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function filled(
  template: string | undefined,
  plain: string,
  values: Readonly<Record<string, string>>,
): { readonly text: string; readonly trouble?: string } {
  if (template === undefined) return { text: plain };
  const text = render(template, values);
  return text.ok ? { text: text.value } : { text: plain, trouble: text.error };
}

/** A rule's own text never fails: what it does not know is left out. */
function plainText(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => values[name.trim()] ?? '');
}
