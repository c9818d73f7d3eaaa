import { err, ok, type Result } from '../kernel/result.ts';
import type { AlertingSettings } from './alerting.ts';
import type { Incident } from './incident.ts';
import type { Rule } from './rule.ts';

/** Fills `{{name}}`; the error is a sentence about the first name that stands for nothing, or braces that are not closed. */
export function render(template: string, values: Readonly<Record<string, string>>): Result<string, string> {
  let trouble: string | undefined;
  const text = template.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
    const name = inner.trim();
    if (Object.hasOwn(values, name)) return values[name] ?? '';
    trouble ??= `there is no value '${name.slice(0, 64)}'`;
    return '';
  });
  const rest = template.replace(/\{\{[^{}]*\}\}/g, '');
  if (rest.includes('{{') || rest.includes('}}')) trouble ??= 'braces are not closed';
  return trouble === undefined ? ok(text) : err(trouble);
}

/** Where the entries of the runbook are; the name of the rule is the anchor. */
export const runbookUrl = 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md';

/** A text and what went wrong with the template that should have made it. */
interface RenderedAnnotations {
  readonly annotations: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** Renders the annotations of an incident: the texts of the configuration or of the rule, and links. */
export function renderAnnotations(
  episode: Pick<Incident, 'labels' | 'facts' | 'identity'>,
  rule: Rule,
  settings: Pick<AlertingSettings, 'rules' | 'templates'>,
  externalUrl: string | undefined,
): RenderedAnnotations {
  const values = { ...episode.facts, ...episode.labels, ...episode.identity };
  const plain = { summary: renderBuiltIn(rule.summary, values), description: renderBuiltIn(rule.description, values) };
  const own = settings.rules[rule.name]?.templates;
  const summary = renderOrFallback(own?.summary ?? settings.templates.summary, plain.summary, { ...values, ...plain });
  const description = renderOrFallback(own?.description ?? settings.templates.description, plain.description, {
    ...values,
    ...plain,
  });
  const error = summary.trouble ?? description.trouble;
  return {
    annotations: {
      summary: summary.text,
      description: description.text,
      runbook_url: `${runbookUrl}#${rule.name}`,
      ...(externalUrl === undefined ? {} : { dashboard_url: `${externalUrl.replace(/\/+$/, '')}/` }),
    },
    ...(error === undefined ? {} : { error }),
  };
}

function renderOrFallback(
  template: string | undefined,
  plain: string,
  values: Readonly<Record<string, string>>,
): { readonly text: string; readonly trouble?: string } {
  if (template === undefined) return { text: plain };
  const text = render(template, values);
  return text.ok ? { text: text.value } : { text: plain, trouble: text.error };
}

/** Renders the text of a built-in rule. Unknown names render as empty text. */
function renderBuiltIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => values[name.trim()] ?? '');
}
