import { installedQuery } from '../../../../src/collect/probes/kinds/installed-query.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(installedQuery, [
  { query: 'q' },
  { query: 'q', method: 'post', parameters: { m: { map: { a: 1 } } }, replica: 2 },
  { query: 'q', parameters: { n: 1, v: { id: 7, type: 'A' }, s: [1, 2] }, thread_limit: 2, memory_limit: '1GiB' },
]);
