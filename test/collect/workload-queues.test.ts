import { describe, expect, it } from 'vitest';
import { workloadQueues } from '../../src/collect/workload-queues.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const adHoc = { engine: 'GPE_1_1', queue: 'AdHoc', running: 1, delayed: 2, runningLimit: 50, delayedLimit: 20 };

describe('workload_queues', () => {
  it('exposes each queue of each engine with its limits', async () => {
    const queues = [adHoc, { ...adHoc, engine: 'GPE_2_1', running: 0 }];
    const { error, lines } = await pollOnce(workloadQueues, { queueStatus: ok({ queues, isComplete: true }) });
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      'graphdb_workload_queue_running_queries{engine="GPE_1_1",queue="AdHoc"} 1',
      'graphdb_workload_queue_delayed_queries{engine="GPE_1_1",queue="AdHoc"} 2',
      'graphdb_workload_queue_running_limit{engine="GPE_1_1",queue="AdHoc"} 50',
      'graphdb_workload_queue_delayed_limit{engine="GPE_1_1",queue="AdHoc"} 20',
      'graphdb_workload_queue_running_queries{engine="GPE_2_1",queue="AdHoc"} 0',
      'graphdb_workload_queue_delayed_queries{engine="GPE_2_1",queue="AdHoc"} 2',
      'graphdb_workload_queue_running_limit{engine="GPE_2_1",queue="AdHoc"} 50',
      'graphdb_workload_queue_delayed_limit{engine="GPE_2_1",queue="AdHoc"} 20',
    ]);
  });

  it('exposes a queue once, even if the server repeats it', async () => {
    const { lines } = await pollOnce(workloadQueues, {
      queueStatus: ok({ queues: [adHoc, { ...adHoc, running: 9 }], isComplete: true }),
    });
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/ 1$/);
  });

  it('succeeds without queues', async () => {
    expect(await pollOnce(workloadQueues, { queueStatus: ok({ queues: [], isComplete: true }) })).toMatchObject({
      error: undefined,
      lines: [],
    });
  });

  it('fails with the queues of the engines that answered', async () => {
    const { error, lines } = await pollOnce(workloadQueues, {
      queueStatus: ok({ queues: [adHoc], isComplete: false }),
    });
    expect(error?.message).toContain('an engine reports an error');
    expect(lines).toHaveLength(4);
  });

  it('returns a failure unchanged', async () => {
    const { error, lines } = await pollOnce(workloadQueues, { queueStatus: failed('unsupported') });
    expect(error?.reason).toBe('unsupported');
    expect(lines).toEqual([]);
  });
});
