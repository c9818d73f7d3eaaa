import { vertex } from '../../../../src/collect/probes/kinds/vertex.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(vertex, [
  { type: 'Account', id: 'a 1' },
  { type: 'Account', id: 7, select: ['updated_at'] },
]);
