import { stringify } from 'yaml';
import { type GeneratedFile, generatedNotice } from '../generated-file.ts';

/** An alerting rule of Prometheus. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A recording rule of Prometheus. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

/** A group of rules that are evaluated in order, also in a PrometheusRule object of Kubernetes. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (AlertRule | RecordingRule)[];
}

/** Returns a rule file of Prometheus with a comment as its heading. */
export function ruleFile(path: string, heading: readonly string[], groups: readonly RuleGroup[]): GeneratedFile {
  const comments = [generatedNotice, ...heading].map((line) => `# ${line}\n`).join('');
  return { path, text: `${comments}${stringify({ groups }, { lineWidth: 0 })}` };
}
