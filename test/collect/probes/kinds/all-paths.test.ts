import { allPaths } from '../../../../src/collect/probes/kinds/all-paths.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(allPaths, [{ sources: [{ type: 'A', id: 'a' }], targets: [{ type: 'A', id: 'b' }], max_length: 2 }]);
