import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';

/** Data source of every panel: the selected value of the variable. */
export const datasource = { type: 'prometheus', uid: '$datasource' } as const;

/** A variable whose values come from a query. */
interface Variable {
  readonly name: string;
  readonly label: string;
  readonly query: string;
  /** Pattern for all values. `.*` also matches facts without the label. */
  readonly all: '.+' | '.*';
}

const build = 'graphwarden_build_info';

/** Variables in order: each one limits the values of the variables after it. */
const queryVariables: readonly Variable[] = [
  { name: 'job', label: 'Job', query: `label_values(${build}, job)`, all: '.+' },
  { name: 'instance', label: 'Instance', query: `label_values(${build}{job=~"$job"}, instance)`, all: '.+' },
  {
    name: 'cluster_name',
    label: 'Cluster',
    query: 'label_values(graphwarden_cluster_nodes{job=~"$job", instance=~"$instance"}, cluster_name)',
    all: '.*',
  },
  {
    name: 'node',
    label: 'Node',
    query: 'label_values(graphdb_up{job=~"$job", instance=~"$instance", cluster_name=~"$cluster_name"}, node)',
    all: '.*',
  },
  {
    name: 'graph',
    label: 'Graph',
    query:
      'label_values(graphdb_queries_running{job=~"$job", instance=~"$instance", cluster_name=~"$cluster_name"}, graph)',
    all: '.*',
  },
  {
    name: 'service_name',
    label: 'Service',
    query:
      'label_values(graphdb_service_status_code{job=~"$job", instance=~"$instance", cluster_name=~"$cluster_name"}, service_name)',
    all: '.*',
  },
];

/** Returns the variables, which are the same on every dashboard so that links keep the selection. */
export function variables(): readonly { build(): VariableModel }[] {
  return [
    new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    ...queryVariables.map(buildVariable),
  ];
}

function buildVariable({ name, label, query, all }: Variable): { build(): VariableModel } {
  const builder = new QueryVariableBuilder(name)
    .label(label)
    .query(query)
    .definition(query)
    .datasource(datasource)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(true)
    .includeAll(true)
    .allValue(all)
    .current({ selected: true, text: ['All'], value: ['$__all'] });
  return { build: () => ({ ...builder.build(), sort: VariableSort.AlphabeticalAsc }) };
}
