import { type QueryDefinitionReport, queryDefinitionSchema } from '../../../../src/api/database.ts';
import { listOf, useData } from '../../data.ts';
import { type Column, StateWord, Table } from '../../parts.tsx';
import { ofCluster, SectionFrame, type SectionProps } from './section.tsx';

type State = QueryDefinitionReport['state'];

/** States in which clients cannot call a query that they could call before, with what to do. */
const unusable: Partial<Readonly<Record<State, string>>> = {
  invalid: 'The server refuses to run it. Correct it for the current schema and install it again, or drop it.',
  disabled: 'The server refuses to run it. Enable it, or drop it.',
  installing: 'Clients cannot call it until the installation ends. If the installation takes long, check the GSQL log.',
};

const loads = Object.keys(unusable).map((state) =>
  listOf(`/api/v1/query-definitions?state=${state}`, queryDefinitionSchema),
);

async function loadUnusable(): Promise<readonly QueryDefinitionReport[]> {
  return (await Promise.all(loads.map((load) => load()))).flat();
}

/** Definitions of queries that the server refuses to run, and what to do about them. */
export function UnusableQueries({ site, cluster }: SectionProps) {
  const queries = useData('unusable queries', loadUnusable);
  return (
    <SectionFrame
      title="Queries that cannot be used"
      collector="query_definitions"
      loaded={queries}
      site={site}
      cluster={cluster}
    >
      <Table
        label="Queries that cannot be used"
        columns={columns}
        rows={ofCluster(queries.value, cluster)}
        keyOf={(one) => [one.cluster, one.graph, one.query].join(' ')}
        empty="No query of the latest lists is invalid, disabled, or being installed."
      />
    </SectionFrame>
  );
}

const columns: readonly Column<QueryDefinitionReport>[] = [
  { title: 'Query', sort: ({ query }) => query, cell: ({ query, graph }) => `${query} (${graph})` },
  {
    title: 'State',
    sort: ({ state }) => state,
    cell: ({ state }) => <StateWord color={state === 'installing' ? 'blue' : 'red'}>{state}</StateWord>,
  },
  { title: 'What to do', cell: ({ state }) => unusable[state] ?? '' },
  { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
];
