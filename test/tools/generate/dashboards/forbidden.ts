import { type DashboardModel, type PanelModel, panelsOf } from './model.ts';

/** A combination of settings that misleads people, although Grafana accepts it. */
interface Forbidden {
  readonly name: string;
  readonly reason: string;
  /** Returns whether a panel has it. */
  readonly matches: (panel: PanelModel) => boolean;
}

const defaultsOf = ({ fieldConfig }: PanelModel) => fieldConfig?.defaults ?? {};
const text = (value: unknown): string => JSON.stringify(value) ?? '';
const modeOf = (panel: PanelModel): string => /"mode":"([\w-]+)"/.exec(text(defaultsOf(panel).color))?.[1] ?? '';
const hasStates = (panel: PanelModel): boolean => text(defaultsOf(panel).mappings).includes('"type":"value"');

/** All forbidden combinations. */
export const forbidden: readonly Forbidden[] = [
  {
    name: 'a state timeline that merges values and colors by thresholds',
    reason: 'Grafana merges by threshold range and ignores value mappings: «< 80» in green for every state',
    matches: (panel) =>
      panel.type === 'state-timeline' &&
      modeOf(panel) === 'thresholds' &&
      text(panel.options).includes('"mergeValues":true'),
  },
  {
    name: 'value mappings without a fixed color for other values',
    reason: 'a value without a mapping, such as a new status, gets a color by chance, and green is one of them',
    matches: (panel) => hasStates(panel) && modeOf(panel) !== 'fixed',
  },
  {
    name: 'a state timeline without mappings',
    reason: 'its default colors run from green to red with the number',
    matches: (panel) => panel.type === 'state-timeline' && !hasStates(panel),
  },
  {
    name: 'states or numbers without a mapping of missing values',
    reason:
      'a missing value has the color of the lowest threshold, which is green, and a gap looks like the background',
    matches: (panel) =>
      (hasStates(panel) || panel.type === 'stat') && !text(defaultsOf(panel).mappings).includes('"match":"null+nan"'),
  },
  {
    name: 'a constant in place of missing data',
    reason: '`or vector(0)` turns an empty data source into a healthy zero',
    matches: ({ targets }) => targets.some(({ expr }) => /\bvector\s*\(/.test(expr)),
  },
  {
    name: 'colors of a column that no cell shows',
    reason: 'thresholds and mappings of a column color nothing unless the cell type is a colored one',
    matches: ({ type, fieldConfig }) =>
      type === 'table' &&
      overridesOf(fieldConfig).some(
        (one) => /"id":"(?:thresholds|mappings)"/.test(one) && !one.includes('"type":"color-'),
      ),
  },
  {
    name: 'a heatmap whose cells have the unit of its axis',
    reason: 'the cells count: «5 s» for five queries',
    matches: (panel) => panel.type === 'heatmap' && defaultsOf(panel).unit !== 'short',
  },
  {
    name: 'a link with a placement',
    reason: 'Grafana 12.3 hides it in a menu, and earlier versions do not know the key',
    matches: (panel) => text(panel).includes('"placement":"inControlsMenu"'),
  },
  {
    name: 'a panel without a text for missing data',
    reason: '«No data» does not say whether that is good',
    matches: (panel) => defaultsOf(panel).noValue?.startsWith('No data: ') !== true,
  },
  {
    name: 'a description of good and bad values without colors',
    reason: 'a line or a color that the help names must be visible',
    matches: (panel) =>
      /\b(?:above|below|at|lower|upper|last) (?:the )?(?:\w+ )?line\b/i.test(panel.description) &&
      !/"thresholdsStyle":\{"mode":"(?:dashed|line|area)"\}/.test(text(defaultsOf(panel))),
  },
  {
    name: 'a number without colors although an alert rule is about it',
    reason: 'a number that can be bad must look bad',
    matches: (panel) => panel.type === 'stat' && panel.links.length > 0 && defaultsOf(panel).thresholds === undefined,
  },
  {
    name: 'a state timeline whose bands are lower than their names',
    reason: 'Grafana draws all bands of a page into the panel: the names overlap',
    matches: ({ type, options, gridPos: { h } }) =>
      type === 'state-timeline' && (h * 38 - 118) / Number(/"perPage":(\d+)/.exec(text(options))?.[1]) < 16,
  },
  {
    name: 'a legend whose first series are not the worst ones',
    reason: 'a legend shows three rows without scrolling',
    matches: (panel) =>
      panel.type === 'timeseries' && !text(panel.options).includes(`"sortBy":"Last *","sortDesc":${!isLowBad(panel)}`),
  },
  {
    name: 'areas that cover each other',
    reason: 'the areas of thirty curves add up to a solid block',
    matches: (panel) =>
      panel.type === 'timeseries' &&
      /"fillOpacity":[1-9]/.test(text(panel.fieldConfig)) &&
      !text(panel.fieldConfig).includes('"mode":"normal"'),
  },
  {
    name: 'an axis that zeros stretch',
    reason: 'without a value above 0, Grafana ends the axis of shares at 10000 % and that of counts at 100',
    matches: (panel) =>
      panel.type === 'timeseries' &&
      ['short', 'percentunit'].includes(defaultsOf(panel).unit ?? '') &&
      defaultsOf(panel).min === 0 &&
      defaultsOf(panel).max === undefined &&
      !text(defaultsOf(panel)).includes('"axisSoftMax"'),
  },
  {
    name: 'a column that shows a missing number in green',
    reason: 'a missing number has the color of the lowest threshold',
    matches: ({ type, fieldConfig }) =>
      type === 'table' &&
      overridesOf(fieldConfig).some((one) => one.includes('"id":"thresholds"') && !one.includes('"match":"null+nan"')),
  },
];

/** Whether the thresholds of a panel are green at the top; a panel without thresholds says it itself. */
function isLowBad(panel: PanelModel): boolean {
  const steps = /"steps":\[(.*?)\]/.exec(text(defaultsOf(panel).thresholds))?.[1];
  if (steps === undefined) return text(panel.options).includes('"sortDesc":false');
  return steps.endsWith('"color":"green"}');
}

function overridesOf(fieldConfig: PanelModel['fieldConfig']): readonly string[] {
  return Array.isArray(fieldConfig?.overrides) ? fieldConfig.overrides.map(text) : [];
}

/** Returns the panels of a dashboard that have a forbidden combination. */
export function violations(dashboard: DashboardModel): readonly string[] {
  return panelsOf(dashboard).flatMap((panel) =>
    forbidden.filter(({ matches }) => matches(panel)).map(({ name, reason }) => `${panel.title}: ${name} (${reason})`),
  );
}
