import { describe, expect, it } from 'vitest';
import { lintRules } from './linter.ts';
import { committed, type DashboardModel, type PanelModel } from './model.ts';

const names = lintRules.map(({ name }) => name);

describe.each(committed)('the dashboard %s', (_, dashboard) => {
  it.each(lintRules)('passes $name', ({ check }) => {
    expect(check(dashboard)).toEqual([]);
  });
});

describe('the lint rules', () => {
  const [first] = committed;
  const good = first?.[1];
  if (good === undefined) throw new Error('there is no dashboard');

  /** The dashboard with one thing changed on every panel. */
  const panels = (change: (panel: PanelModel) => PanelModel): DashboardModel => ({
    ...good,
    panels: good.panels.map((panel) => (panel.type === 'row' ? panel : { ...change(panel), panels: [] })),
  });
  const dashboardQuerying = (expr: string): DashboardModel =>
    panels((panel) => ({ ...panel, targets: panel.targets.map((target) => ({ ...target, expr })) }));
  const variables = (change: (name: string) => Partial<DashboardModel['templating']['list'][number]>) => ({
    ...good,
    templating: { list: good.templating.list.map((variable) => ({ ...variable, ...change(variable.name) })) },
  });
  const matched = 'job=~"$job", instance=~"$instance"';

  const spoilt: readonly (readonly [string, DashboardModel])[] = [
    ['template-datasource-rule', variables((name) => (name === 'datasource' ? { label: 'Where from' } : {}))],
    ['template-job-rule', variables((name) => (name === 'job' ? { multi: false } : {}))],
    ['template-instance-rule', variables((name) => (name === 'instance' ? { allValue: '.*' } : {}))],
    ['template-label-promql-rule', variables((name) => (name === 'node' ? { query: 'node' } : {}))],
    ['template-on-time-change-reload-rule', variables((name) => (name === 'graph' ? { refresh: 1 } : {}))],
    ['panel-datasource-rule', panels((panel) => ({ ...panel, datasource: { uid: 'fixed' } }))],
    ['panel-title-description-rule', panels((panel) => ({ ...panel, description: '' }))],
    ['panel-units-rule', panels((panel) => ({ ...panel, fieldConfig: { defaults: { unit: 'parsecs' } } }))],
    ['panel-no-targets-rule', panels((panel) => ({ ...panel, targets: [] }))],
    ['target-rate-interval-rule', dashboardQuerying(`rate(graphdb_network_bytes_total{${matched}}[5m])`)],
    ['target-job-rule', dashboardQuerying('graphdb_up{instance=~"$instance"}')],
    ['target-instance-rule', dashboardQuerying('graphdb_up{job=~"$job", instance="one"}')],
    ['target-counter-agg-rule', dashboardQuerying(`sum(graphdb_network_bytes_total{${matched}})`)],
    ['uneditable-dashboard', { ...good, editable: true }],
  ];

  it('are all tested', () => {
    expect(spoilt.map(([name]) => name)).toEqual(names);
  });

  it.each(spoilt)('%s finds its defect, and the other rules do not', (name, dashboard) => {
    expect(lintRules.filter(({ check }) => check(dashboard).length > 0).map((rule) => rule.name)).toEqual([name]);
  });

  it('reject a selector without braces', () => {
    const check = lintRules.find(({ name }) => name === 'target-job-rule')?.check;
    expect(() => check?.(dashboardQuerying('sum(graphdb_up)'))).toThrow('without matchers');
  });
});
