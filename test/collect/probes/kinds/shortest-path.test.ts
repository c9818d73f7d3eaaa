import { shortestPath } from '../../../../src/collect/probes/kinds/shortest-path.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(shortestPath, [
  { sources: [{ type: 'A', id: 'a' }], targets: [{ type: 'A', id: 'b' }] },
  {
    sources: [{ type: 'A', id: 1 }],
    targets: [{ type: 'A', id: 'b' }],
    max_length: 3,
    all_shortest: true,
    edge_filters: [{ type: 't', condition: 'x > 1' }],
  },
]);
