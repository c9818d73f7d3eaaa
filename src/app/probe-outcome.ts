import { inSeconds, type Millis } from '../kernel/time.ts';

/** How one collector did in a probe; `node` is `''` for a fact of the whole cluster. */
export interface Outcome {
  readonly collector: string;
  readonly node: string;
  readonly good: boolean;
}

/**
 * What a probe says about itself, behind what it read. The lines are the same in both text formats, and are
 * no families of the page: they are about one request.
 */
export function probeOutcome(outcomes: readonly Outcome[], took: Millis): string {
  const all = outcomes.length > 0 && outcomes.every(({ good }) => good);
  return [
    ...head('probe_success', 'Whether every reading of the probe was good.'),
    `probe_success ${all ? 1 : 0}`,
    ...head('probe_duration_seconds', 'How long the probe took.'),
    `probe_duration_seconds ${inSeconds(took)}`,
    ...head('probe_collector_success', 'Whether one reading was good; node is empty for a fact of the whole cluster.'),
    ...outcomes.map(({ collector, node, good }) => {
      const labels = `collector="${escaped(collector)}",node="${escaped(node)}"`;
      return `probe_collector_success{${labels}} ${good ? 1 : 0}`;
    }),
    '',
  ].join('\n');
}

function head(name: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
}

function escaped(value: string): string {
  return value.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
