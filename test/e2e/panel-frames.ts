import type { PanelModel } from '../tools/generate/dashboards/model.ts';
import type { ResultSeries } from './panel-results.ts';

/** A field of a data frame. */
interface Field {
  readonly name: string;
  readonly type: 'time' | 'number' | 'string';
  readonly values: readonly (number | string | null)[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
}

/** A data frame, as Grafana's data source for Prometheus makes it of an answer. */
export interface Frame {
  readonly refId: string;
  readonly fields: readonly Field[];
}

type Target = PanelModel['targets'][number];

/** Answers to the queries of a panel for one selection. */
interface Source {
  /** Runs an expression as a graph does. */
  readonly range: (expression: string) => Promise<readonly ResultSeries[]>;
  /** Runs an expression as a table or a number does. */
  readonly instant: (expression: string) => Promise<readonly ResultSeries[]>;
}

/** Runs the queries of a panel and returns the frames that the panel gets. */
export async function framesFor(panel: PanelModel, source: Source): Promise<readonly Frame[]> {
  const answers = await Promise.all(panel.targets.map((target) => framesOf(panel, target, source)));
  return answers.flat();
}

async function framesOf({ type, targets }: PanelModel, target: Target, source: Source): Promise<readonly Frame[]> {
  const series = await (target.instant === true ? source.instant : source.range)(target.expr);
  if (type === 'table') return tableFrames(series, target, targets.length === 1 ? 'Value' : `Value #${target.refId}`);
  return type === 'heatmap' ? bucketFrames(series, target) : series.map((one) => curveFrame(one, target));
}

function curveFrame({ labels, points }: ResultSeries, { refId, legendFormat }: Target): Frame {
  const displayNameFromDS = legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_whole, label: string) => labels[label] ?? '');
  return {
    refId,
    fields: [timeOf(points), { ...numbersOf(points), name: 'Value', labels, config: { displayNameFromDS } }],
  };
}

/** One frame for all series: a column for each label, and one for the values. */
function tableFrames(series: readonly ResultSeries[], { refId }: Target, name: string): readonly Frame[] {
  if (series.length === 0) return [];
  const labels = [...new Set(series.flatMap((one) => Object.keys(one.labels)))].toSorted();
  const points = series.flatMap((one) => one.points.slice(-1));
  const columns = labels.map(
    (label): Field => ({
      name: label,
      type: 'string',
      values: series.map((one) => one.labels[label] ?? ''),
      config: {},
    }),
  );
  return [{ refId, fields: [timeOf(points), ...columns, { ...numbersOf(points), name, config: {} }] }];
}

function bound({ labels }: ResultSeries): number {
  return Number((labels.le ?? '').replace('+Inf', 'Infinity'));
}

/** One frame: a field for each bucket, by its upper bound, with what the bucket below does not count already. */
function bucketFrames(series: readonly ResultSeries[], { refId }: Target): readonly Frame[] {
  const [first, ...others] = series.toSorted((one, other) => bound(one) - bound(other));
  if (first === undefined) return [];
  const sorted = [first, ...others];
  const rows = sorted.map(({ labels, points }, at) => {
    const below = new Map(sorted[at - 1]?.points.map(({ at: time, value }) => [time, value]));
    const own = points.map((point) => ({ at: point.at, value: (point.value ?? 0) - (below.get(point.at) ?? 0) }));
    return { ...numbersOf(own), name: labels.le ?? '', labels, config: {} };
  });
  return [{ refId, fields: [timeOf(first.points), ...rows] }];
}

function timeOf(points: ResultSeries['points']): Field {
  return { name: 'Time', type: 'time', values: points.map(({ at }) => at * 1000), config: { interval: 2000 } };
}

function numbersOf(points: ResultSeries['points']): Pick<Field, 'type' | 'values'> {
  return { type: 'number', values: points.map(({ value }) => value) };
}
