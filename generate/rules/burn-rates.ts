import { alertName } from '../../src/alert/identity.ts';
import { linksOf } from './links.ts';
import type { AlertRule, RecordRule } from './rule-file.ts';
import { type Burn, burns, type Objective, windows } from './slo.ts';

/** What an objective needs recorded: its inputs, then the share of failures for each window. */
export function recordsFor(objective: Objective): readonly RecordRule[] {
  const ratios = windows.map((window) => ({
    record: ratioOver(objective, window),
    expr: objective.errorRatio(window),
  }));
  return [...objective.inputs, ...ratios];
}

/** An alert for each speed at which the budget of an objective burns. */
export function burnAlerts(objective: Objective): readonly AlertRule[] {
  return burns.map((burn) => ({
    alert: alertName({ name: objective.name, scope: 'cluster' }),
    expr: burning(objective, burn),
    for: burn.hold,
    labels: { severity: burn.severity, long: burn.long, short: burn.short },
    annotations: { ...textsFor(objective, burn), ...linksOf({ ...objective, scope: 'cluster' }) },
  }));
}

function burning(objective: Objective, { long, short, factor }: Burn): string {
  const limit = `${factor} * ${decimals(1 - objective.objective)}`;
  const both = [long, short].map((window) => `${ratioOver(objective, window)} > ${limit}`).join(' and ');
  const exception = objective.unless?.(long);
  return exception === undefined ? both : `${both} unless ${exception}`;
}

function textsFor({ summary, failure, objective }: Objective, { long, short, factor }: Burn) {
  const budget = `${decimals((1 - objective) * 100)} %`;
  const description = `{{ $value | humanizePercentage }} ${failure} in the last ${long}, and it goes on in the last ${short}. The budget of ${budget} in 30 days goes ${factor} times as fast as it may.`;
  return { summary, description };
}

function ratioOver({ series }: Objective, window: string): string {
  return `${series}:error_ratio_${window}`;
}

/** Without the dust of binary fractions. */
function decimals(value: number): string {
  return String(Number(value.toFixed(6)));
}
