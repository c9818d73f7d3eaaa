import { expect, it } from 'vitest';
import { row, table } from '../../../../tools/generate/dashboards/panels.ts';
import { withRuleLinks } from '../../../../tools/generate/dashboards/rule-links.ts';

const family = 'graphdb_queries_running';

function panel(title: string, expr: string, ...rules: readonly string[]) {
  return table(title, 'Description.', { expr, legend: 'Queries' }, { rules });
}

const load = row('Load', 12, [
  panel('Oldest', 'graphdb_query_oldest_age_seconds'),
  panel('Running', `sum(${family})`, 'other'),
  panel('Again', family),
]);
const queries = { name: 'queries', title: 'Queries', description: '', annotations: [], rows: [load] };

function linksOf(...rules: Parameters<typeof withRuleLinks>[1]): Readonly<Record<string, readonly string[]>> {
  const panels = withRuleLinks(queries, rules).rows.flatMap((linked) => linked.panels);
  return Object.fromEntries(panels.map(({ title, rules: names = [] }) => [title, names]));
}

it('withRuleLinks › adds a rule to the first panel of its dashboard with a metric of its twin', () => {
  const twin = `sum by (node) (${family}) > 200`;
  expect(linksOf({ name: 'many', scope: 'cluster', dashboard: 'queries', twin })).toEqual({
    Oldest: [],
    Running: ['other', 'many'],
    Again: [],
  });
});

it('withRuleLinks › adds no rule of another dashboard, no rule that a panel names, and none without a panel', () => {
  const links = linksOf(
    { name: 'elsewhere', scope: 'cluster', twin: family },
    { name: 'other', scope: 'cluster', dashboard: 'queries', twin: 'graphdb_query_oldest_age_seconds > 9' },
    { name: 'hidden', scope: 'cluster', dashboard: 'queries', twin: 'graphdb_up == 0' },
    { name: 'textual', scope: 'cluster', dashboard: 'queries' },
  );
  expect(links).toEqual({ Oldest: [], Running: ['other'], Again: [] });
});
