import { graphSchema, loadingJobSchema, maxTypes, queryDefinitionSchema } from '../../src/api/database.ts';
import { describeObject } from './object-cases.ts';

const type = { type: 'Account', count: 1 };

describeObject('graph', graphSchema, [
  { vertices: -1 },
  { edges: Number.POSITIVE_INFINITY },
  { vertexTypes: [{ type: 'Account' }] },
  { edgeTypes: Array.from({ length: maxTypes + 1 }, () => type) },
  { otherVertexTypes: 0.5 },
]);

describeObject('loading job', loadingJobSchema, [
  { state: 'RUNNING' },
  { progress: 1.5 },
  { linesPerSecond: -1 },
  { lines: { valid: 1 } },
  { startedAt: '' },
]);

describeObject('query definition', queryDefinitionSchema, [{ state: 'broken' }, { asOf: '' }]);
