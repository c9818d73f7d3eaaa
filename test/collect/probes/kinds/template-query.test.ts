import { templateQuery } from '../../../../src/collect/probes/kinds/template-query.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(templateQuery, [
  { template: 'GDBMS_ALGO.centrality.pagerank' },
  { template: 'a', parameters: { v: { id: 'x', type: 'A' } } },
]);
