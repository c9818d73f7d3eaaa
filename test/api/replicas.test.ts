import { expect, it } from 'vitest';
import { nodeSchema } from '../../src/api/clusters.ts';
import { eventBatchSchema, replicaAnswerSchema, replicaSchema } from '../../src/api/replicas.ts';
import { transitionSchema } from '../../src/api/services.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('replica', replicaSchema, [
  { live: 1 },
  { clusters: 'prod' },
  { seenAt: 'now' },
  { sameSettings: null },
]);

it('an answer to another replica names its clusters, and has only items of the schema', () => {
  const schema = replicaAnswerSchema(nodeSchema);
  expect(schema.safeParse({ clusters: ['prod', ''], items: [] }).success).toBe(true);
  expect(schema.safeParse({ items: [] }).success).toBe(false);
  expect(schema.safeParse({ clusters: ['prod'], items: [{}] }).success).toBe(false);
});

it('a batch of events has only events of the stream', () => {
  const value = exampleOf(transitionSchema);
  const of = (kind: string) => eventBatchSchema.safeParse({ last: 1, events: [{ kind, value }] }).success;
  expect([of('transition'), of('alert'), of('other')]).toEqual([true, false, false]);
  expect(eventBatchSchema.safeParse({ last: -1, events: [] }).success).toBe(false);
});
