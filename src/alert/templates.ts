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

/** Returns whether all double braces of a template are closed. */
export function hasClosedBraces(template: string): boolean {
  return !/\{\{|\}\}/.test(template.replace(placeholder, ''));
}

/** Returns the names that templates of a rule may refer to, in addition to configured labels. */
export function templateNames({ scope, labels, summary, description }: Rule): readonly string[] {
  const facts = [summary, description].flatMap(namesInTemplate);
  const names = [...labels, ...facts, 'alertname', 'severity', 'summary', 'description'];
  return scope === 'cluster' ? [...names, 'cluster_name'] : names;
}
