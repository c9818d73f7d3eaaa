import { type GraphReport, graphSchema } from '../../../../src/api/database.ts';
import { listOf, useData } from '../../data.ts';
import { amount, count } from '../../format.ts';
import { type Column, Table } from '../../parts.tsx';
import { ofCluster, SectionFrame, type SectionProps } from './section.tsx';

const loadGraphs = listOf('/api/v1/graphs', graphSchema);

/** Graphs with their numbers of vertices and edges, and their largest types. */
export function GraphSizes({ site, cluster }: SectionProps) {
  const graphs = useData('graphs', loadGraphs);
  return (
    <SectionFrame title="Graphs and their sizes" collector="graph_sizes" loaded={graphs} site={site} cluster={cluster}>
      <Table
        label="Graphs and their sizes"
        columns={columns}
        rows={ofCluster(graphs.value, cluster)}
        keyOf={(one) => [one.cluster, one.graph].join(' ')}
        empty="The server lists no graph."
      />
    </SectionFrame>
  );
}

const columns: readonly Column<GraphReport>[] = [
  { title: 'Graph', sort: ({ graph }) => graph, cell: ({ graph }) => graph },
  { title: 'Vertices', sort: ({ vertices }) => vertices, cell: ({ vertices }) => <Amount value={vertices} /> },
  {
    title: 'Largest vertex types',
    cell: ({ vertexTypes, otherVertexTypes }) => <Types types={vertexTypes} others={otherVertexTypes} />,
  },
  { title: 'Edges', sort: ({ edges }) => edges, cell: ({ edges }) => <Amount value={edges} /> },
  {
    title: 'Largest edge types',
    cell: ({ edgeTypes, otherEdgeTypes }) => <Types types={edgeTypes} others={otherEdgeTypes} />,
  },
  { title: 'Cluster', sort: ({ cluster }) => cluster, cell: ({ cluster }) => cluster },
];

/** Number of elements; 0 is highlighted, because the graph may have been cleared. */
function Amount({ value }: { readonly value: number }) {
  return <span class={value === 0 ? 'orange' : ''}>{value === 0 ? '! 0' : amount(value)}</span>;
}

interface TypesProps {
  readonly types: GraphReport['vertexTypes'];
  readonly others: number;
}

function Types({ types, others }: TypesProps) {
  const listed = types.map(({ type, count: own }) => `${type} ${amount(own)}`);
  const all = [...listed, ...(others === 0 ? [] : [`and ${count(others, 'more type')}`])];
  return <span>{all.length === 0 ? '–' : all.join(', ')}</span>;
}
