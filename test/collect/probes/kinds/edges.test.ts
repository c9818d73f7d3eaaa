import { edges } from '../../../../src/collect/probes/kinds/edges.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(edges, [
  { source_type: 'A', source_id: 'a' },
  { source_type: 'A', source_id: 'a', edge_type: 't', limit: 5 },
  { source_type: 'A', source_id: 'a', edge_type: 't', target_type: 'B' },
  { source_type: 'A', source_id: 'a', edge_type: 't', target_type: 'B', target_id: 'b' },
]);
