import type { DashboardModel, PanelModel } from './model.ts';
import { panelsOf } from './model.ts';
import { type Selector, selectorsOf } from './selectors.ts';

/** A rule of Grafana's dashboard linter, in our words: what it finds wrong. */
export interface LintRule {
  /** As the linter calls it. */
  readonly name: string;
  readonly check: (dashboard: DashboardModel) => readonly string[];
}

const units = ['none', 'short', 'percentunit', 'bytes', 'Bps', 's', 'reqps', 'ops', 'dateTimeAsIso'];
const growing = ['rate', 'irate', 'increase'];
const templated = ['$datasource', '${datasource}'];

/**
 * What the linter looks at, over panels of every type, where the linter itself leaves some out. That an expression is
 * PromQL at all is seen when a real Prometheus answers it.
 */
export const lintRules: readonly LintRule[] = [
  { name: 'template-datasource-rule', check: oneTemplatedSource },
  { name: 'template-job-rule', check: (dashboard) => templateOf(dashboard, 'job', 'Job') },
  { name: 'template-instance-rule', check: (dashboard) => templateOf(dashboard, 'instance', 'Instance') },
  { name: 'template-label-promql-rule', check: askForLabels },
  { name: 'template-on-time-change-reload-rule', check: reloadOnTimeChange },
  { name: 'panel-datasource-rule', check: eachPanel(({ datasource }) => isTemplated(datasource?.uid)) },
  { name: 'panel-title-description-rule', check: eachPanel((panel) => panel.title !== '' && panel.description !== '') },
  { name: 'panel-units-rule', check: eachPanel((panel) => units.includes(panel.fieldConfig?.defaults.unit ?? '')) },
  { name: 'panel-no-targets-rule', check: eachPanel(({ targets }) => targets.length > 0) },
  {
    name: 'target-rate-interval-rule',
    check: eachSelector(({ within, range }) => !growing.includes(within) || range === '$__rate_interval'),
  },
  { name: 'target-job-rule', check: eachSelector(({ matchers }) => matchers.includes('job=~"$job"')) },
  { name: 'target-instance-rule', check: eachSelector(({ matchers }) => matchers.includes('instance=~"$instance"')) },
  {
    name: 'target-counter-agg-rule',
    check: eachSelector(({ name, within }) => !name.endsWith('_total') || growing.includes(within)),
  },
  { name: 'uneditable-dashboard', check: ({ editable }) => (editable ? ['it is editable'] : []) },
];

function oneTemplatedSource({ templating }: DashboardModel): readonly string[] {
  const sources = templating.list.filter(({ type }) => type === 'datasource');
  const right = sources.filter(
    ({ name, label, query }) => name === 'datasource' && label === 'Data source' && query === 'prometheus',
  );
  return sources.length === 1 && right.length === 1 ? [] : [`${sources.length} templated data sources`];
}

function templateOf({ templating }: DashboardModel, name: string, label: string): readonly string[] {
  const found = templating.list.find((variable) => variable.name === name);
  if (found === undefined) return [`there is no variable ${name}`];
  const right =
    isTemplated(found.datasource?.uid) &&
    found.type === 'query' &&
    found.label === label &&
    found.multi &&
    found.allValue === '.+';
  return right ? [] : [`the variable ${name} is not as it should be`];
}

function askForLabels({ templating }: DashboardModel): readonly string[] {
  const queryVariables = templating.list.filter(({ type }) => type === 'query');
  return queryVariables
    .filter(({ query }) => !/^label_values\(\w+(?:\{[^}]+\})?, \w+\)$/.test(query))
    .map(({ name }) => `the variable ${name} queries no label`);
}

function reloadOnTimeChange({ templating }: DashboardModel): readonly string[] {
  const queryVariables = templating.list.filter(({ type }) => type === 'query');
  return queryVariables.filter(({ refresh }) => refresh !== 2).map(({ name }) => `the variable ${name} stays as it is`);
}

function eachPanel(isRight: (panel: PanelModel) => boolean): LintRule['check'] {
  return (dashboard) =>
    panelsOf(dashboard)
      .filter((panel) => !isRight(panel))
      .map(({ title, id }) => `panel ${id} ${title}`);
}

function eachSelector(isRight: (selector: Selector) => boolean): LintRule['check'] {
  return (dashboard) =>
    expressionsOf(dashboard).flatMap((expression) =>
      selectorsOf(expression)
        .filter((selector) => !isRight(selector))
        .map(({ name }) => `${name} in ${expression}`),
    );
}

/** Of panels and, beyond what the linter does, of annotations. */
function expressionsOf(dashboard: DashboardModel): readonly string[] {
  const ofPanels = panelsOf(dashboard).flatMap(({ targets }) => targets.map(({ expr }) => expr));
  return [...ofPanels, ...dashboard.annotations.list.map(({ expr }) => expr)];
}

function isTemplated(uid: string | undefined): boolean {
  return templated.includes(uid ?? '');
}
