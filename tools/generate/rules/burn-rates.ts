import { alertName } from '../../../src/alert/active-alert.ts';
import { alertLinks } from './alert-links.ts';
import { type BurnRate, burnRates, type Objective, recordedWindows } from './objectives.ts';
import type { AlertRule, RecordingRule } from './rule-file.ts';

/** Returns the recording rules of an objective: its inputs, then the error ratio for each window. */
export function recordingRulesFor(objective: Objective): readonly RecordingRule[] {
  const ratios = recordedWindows.map((window) => ({
    record: ratioOver(objective, window),
    expr: objective.errorRatio(window),
  }));
  return [...objective.inputs, ...ratios];
}

/** Returns one alert per burn rate of the error budget of an objective. */
export function burnRateAlerts(objective: Objective): readonly AlertRule[] {
  return burnRates.map((burn) => ({
    alert: alertName({ name: objective.name, scope: 'cluster' }),
    expr: burnExpression(objective, burn),
    for: burn.for,
    labels: { severity: burn.severity, long: burn.long, short: burn.short },
    annotations: { ...burnRateTexts(objective, burn), ...alertLinks({ ...objective, scope: 'cluster' }) },
  }));
}

function burnExpression(objective: Objective, { long, short, factor }: BurnRate): string {
  const limit = `${factor} * ${roundDecimals(1 - objective.objective)}`;
  const both = [long, short].map((window) => `${ratioOver(objective, window)} > ${limit}`).join(' and ');
  const exception = objective.unless?.(long);
  const measured = `${both} and ${hasDataSince(objective, long)}`;
  return exception === undefined ? measured : `${measured} unless ${exception}`;
}

/**
 * Returns the condition that the data is as old as the long window: the ratio of a younger cluster or Prometheus is that
 * of a shorter window, in which its start weighs too much.
 */
function hasDataSince({ measured }: Objective, long: string): string {
  return `present_over_time(${measured}[30m] offset ${long})`;
}

function burnRateTexts({ summary, failure, objective }: Objective, { long, short, factor }: BurnRate) {
  const budget = `${roundDecimals((1 - objective) * 100)} %`;
  const description = `{{ $value | humanizePercentage }} ${failure} in the last ${long}, and the rate was as high in the last ${short}. The error budget of ${budget} in 30 days burns ${factor} times as fast as allowed.`;
  return { summary, description };
}

function ratioOver({ series }: Objective, window: string): string {
  return `${series}:error_ratio_${window}`;
}

/** Removes rounding errors of binary fractions. */
function roundDecimals(value: number): string {
  return String(Number(value.toFixed(6)));
}
