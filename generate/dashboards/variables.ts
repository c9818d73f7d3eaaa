import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';

/** The data source of everything on a dashboard: the one that the reader chose. */
export const datasource = { type: 'prometheus', uid: '$datasource' } as const;

/** A variable whose values are asked for. */
interface Variable {
  readonly name: string;
  readonly label: string;
  readonly query: string;
  /** What stands for all of them: facts that have no such label at all are among them, unless every fact has it. */
  readonly all: '.+' | '.*';
}

const build = 'graphwarden_build_info';

/** In the order in which each narrows those after it. */
const asked: readonly Variable[] = [
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
];

/** The variables, the same on every dashboard, so that links between them keep what was chosen. */
export function variables(): readonly { build(): VariableModel }[] {
  return [new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'), ...asked.map(drawn)];
}

function drawn({ name, label, query, all }: Variable): { build(): VariableModel } {
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
