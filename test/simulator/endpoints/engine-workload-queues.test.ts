import { describe, expect, it } from 'vitest';
import { workloadQueues } from '../../../src/simulator/endpoints/engine.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, nodeOf, noon, withoutLoad, worldOf } from '../test-world.ts';

function loaded(): World {
  const world = withoutLoad(worldOf({ maxConcurrentQueries: 2, maxDelayQueueSize: 3 }));
  const order = { graph: 'fraud', query: 'q', parameters: '', runsFor: 9_000, timeout: 16_000, detached: false };
  for (const _ of [1, 2, 3]) nodeOf(world, 1).load.start(installedQuery(order), noon);
  return world;
}

interface Answer {
  readonly WorkloadQueueStatusByInstances: readonly {
    readonly results: Readonly<Record<string, readonly unknown[]>>;
  }[];
}

async function request(world: World, body: string): Promise<readonly (readonly [string, readonly unknown[]])[]> {
  const answer = Object(await jsonOf(workloadQueues(callOn(world, { body })))) as Answer;
  return answer.WorkloadQueueStatusByInstances.flatMap(({ results }) => Object.entries(results));
}

describe('workloadQueues', () => {
  it('has counts for every engine of the cluster', async () => {
    const engines = await request(loaded(), '{"mode":"stats"}');
    const idle = { maxConcurrentQueries: 2, maxDelayQueueSize: 3, runningQueries: 0, delayQueries: 0 };
    const adHoc = { ...idle, WorkloadQueueName: 'AdHoc', maxConcurrentQueries: 1 };
    expect(engines).toEqual([
      ['GPE_1_1', [{ ...idle, WorkloadQueueName: 'OLTP' }, adHoc]],
      ['GPE_1_2', [{ ...idle, WorkloadQueueName: 'OLTP', runningQueries: 2, delayQueries: 1 }, adHoc]],
      ['GPE_1_3', [{ ...idle, WorkloadQueueName: 'OLTP' }, adHoc]],
    ]);
  });

  it('lists ids in verbose mode', async () => {
    const [, queues] = (await request(loaded(), '{"mode":"verbose","queuelist":["OLTP"]}'))[1] ?? [];
    const id = expect.stringMatching(/^\d+\.RESTPP_1_2\.\d+\.N$/);
    expect(queues).toEqual([
      {
        WorkloadQueueName: 'OLTP',
        maxConcurrentQueries: 2,
        maxDelayQueueSize: 3,
        runningQueries: [id, id],
        delayQueries: [id],
      },
    ]);
  });

  it.each([
    ['', 2],
    ['{"queuelist":["AdHoc"]}', 1],
    ['{"queuelist":["AdHoc","OLTP"]}', 2],
    ['{"queuelist":["Other"]}', 0],
  ])('returns the queues that %j requests', async (body, count) => {
    expect((await request(loaded(), body)).map(([, queues]) => queues.length)).toEqual([count, count, count]);
  });

  it('omits engines whose host is down', async () => {
    const world = loaded();
    world.switchHost(nodeOf(world, 1), false);
    expect((await request(world, '')).map(([engine]) => engine)).toEqual(['GPE_1_1', 'GPE_1_3']);
  });

  it('has its own envelope around the usual one', async () => {
    expect(await jsonOf(workloadQueues(callOn(loaded())))).toMatchObject({
      error: false,
      message: 'Completes',
      code: 'REST-0000',
      WorkloadQueueStatusByInstances: [{ error: false, message: '' }, {}, {}],
    });
  });

  it.each(['nonsense', '{"mode":"other"}', '{"queuelist":"OLTP"}'])('refuses %j', (body) => {
    expect(workloadQueues(callOn(loaded(), { body }))).toMatchObject({ status: 400 });
  });
});
