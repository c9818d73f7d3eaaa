import { stringify } from 'yaml';
import { type GeneratedFile, origin } from '../document.ts';

/** An alert in the words of Prometheus. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A series that Prometheus computes for itself. */
export interface RecordRule {
  readonly record: string;
  readonly expr: string;
}

/** Rules that are evaluated one after another. A PrometheusRule of Kubernetes takes the same. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (AlertRule | RecordRule)[];
}

/** A rule file of Prometheus, under a heading of plain sentences. */
export function ruleFile(path: string, heading: readonly string[], groups: readonly RuleGroup[]): GeneratedFile {
  const comments = [origin, ...heading].map((line) => `# ${line}\n`).join('');
  return { path, text: `${comments}${stringify({ groups }, { lineWidth: 0 })}` };
}
