import type { Rule, Threshold } from '../../../src/alert/rule.ts';

/** Value of an alert as a Go template, by the unit of the threshold that it is compared with. */
const valueTemplates: Readonly<Record<Threshold['unit'], string>> = {
  count: '{{ $value | humanize }}',
  ratio: '{{ $value | humanizePercentage }}',
  seconds: '{{ $value | humanizeDuration }}',
  bytes: '{{ $value | humanize1024 }}B',
};

/**
 * Returns the texts of a rule for Prometheus: those in `twinTexts`, otherwise the texts of the rule. Throws if they have
 * several facts without a template, because only one of them can be the value of the alert.
 */
export function annotationsFor(rule: Rule) {
  return filled(textsOf(rule), rule);
}

/** Returns the texts that graphwarden uses for a rule, filled as by {@link annotationsFor}. Other facts stay in their braces. */
export function ownTextsInPrometheus(rule: Rule) {
  return filled(rule, rule);
}

type Texts = Pick<Rule, 'summary' | 'description'>;

function textsOf({ summary, description, twinTexts }: Rule): Texts {
  return { summary: twinTexts?.summary ?? summary, description: twinTexts?.description ?? description };
}

function filled({ summary, description }: Texts, rule: Rule): Texts {
  const templates = templatesOf(rule);
  const fill = (text: string) => text.replaceAll(placeholders, (braces, word: string) => templates.get(word) ?? braces);
  return { summary: fill(summary), description: fill(description) };
}

const placeholders = /\{\{(\w+)\}\}/g;

/** Returns the Go templates of all placeholders in the texts of a rule for Prometheus. */
function templatesOf(rule: Rule): ReadonlyMap<string, string> {
  const labels = ['cluster_name', ...rule.labels].map((label) => [label, `{{ $labels.${label} }}`] as const);
  const templates = new Map([...Object.entries(rule.twinTexts?.facts ?? {}), ...labels]);
  const { summary, description } = textsOf(rule);
  const words = [...`${summary} ${description}`.matchAll(placeholders)].map(([, word = '']) => word);
  const [fact, ...others] = new Set(words.filter((word) => !templates.has(word)));
  if (others.length > 0) {
    throw new Error(
      `rule ${rule.name}: twinTexts must have texts without the facts ${[fact, ...others].join(', ')}, or their templates`,
    );
  }
  return fact === undefined ? templates : templates.set(fact, valueTemplates[unitOf(rule)]);
}

/** Returns the unit of the value of an alert: that of the threshold that the twin compares it with. */
function unitOf({ twin = '', thresholds }: Rule): Threshold['unit'] {
  const [, name] = /[<>]=? \{\{(\w+)\}\}(?! [*/])/.exec(twin) ?? [];
  return thresholds.find((threshold) => threshold.name === name)?.unit ?? 'count';
}
