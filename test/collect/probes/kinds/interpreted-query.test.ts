import { interpretedQuery } from '../../../../src/collect/probes/kinds/interpreted-query.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(interpretedQuery, [
  { statement: 'INTERPRET QUERY () FOR GRAPH fraud { PRINT 1; }' },
  { statement: 'x', parameters: { n: 1 }, thread_limit: 1 },
]);
