import { describe, expect, it } from 'vitest';
import { fetchLoadingRuns } from '../../../src/graphdb/endpoints/loading-runs.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const current = 'GET /gsql/v1/loading-jobs/status?graph=fraud';

function read(results: unknown, request = current, serverVersion = '4.1'): ReturnType<typeof fetchLoadingRuns> {
  const pool = new FakePool([request, answer({ error: false, message: '', results })]);
  return fetchLoadingRuns(callerOver(pool, { serverVersion }), 'fraud', neverAborted());
}

/** The documented record, which has no word for the state. */
const overall = {
  averageSpeed: 66_666,
  currentSpeed: 55_555,
  duration: 12_345,
  endTime: 1_790_000_012_345,
  id: 'fraud.load_a.file.all.1790000000000',
  progress: 0,
  size: 1236,
  startTime: 1_790_000_000_000,
  statistics: {
    fileLevel: { validLine: 8 },
    objectLevel: { vertex: [{ typeName: 'Post', validObject: 6, noIdFound: 1, invalidAttribute: 1 }] },
  },
};

function record(changed: object = {}) {
  return { overall: { ...overall, ...changed }, workers: [{ tasks: [{ filename: 'f1' }] }] };
}

/** The list without ids of runs is an assumed shape: the documents of the server have none. */
describe('the runs of loading jobs', () => {
  it.each([
    ['4.1', current],
    ['3.9', 'GET /gsqlserver/gsql/loading-jobs?graph=fraud&action=getprogress'],
  ])('are requested for a graph, in the path form of %s', async (version, request) => {
    expect(factsOf(await read([record()], request, version))).toEqual([
      {
        graph: 'fraud',
        job: 'load_a',
        id: overall.id,
        state: 'running',
        startedAt: 1_790_000_000_000,
        progress: 0,
        linesPerSecond: 55_555,
        lines: { valid: 8, filtered: 0, rejected: 0, too_few_tokens: 0, invalid_json: 0, oversize_token: 0 },
      },
    ]);
  });

  it('count the lines by result', async () => {
    const fileLevel = {
      validLine: 1,
      rejectLine: 2,
      failedConditionLine: '3',
      notEnoughToken: 4,
      invalidJson: 5,
      oversizeToken: 6,
      newCounter: 7,
    };
    const [run] = factsOf(await read([record({ statistics: { fileLevel } })]));
    expect(run?.lines).toEqual({
      valid: 1,
      rejected: 2,
      filtered: 3,
      too_few_tokens: 4,
      invalid_json: 5,
      oversize_token: 6,
    });
  });

  it.each([
    ['running', { status: 'RUNNING', progress: 1 }],
    ['finished', { status: 'FINISHED' }],
    ['failed', { status: 'FAILED' }],
    ['aborted', { status: 'aborted' }],
    ['paused', { status: 'PAUSED' }],
    ['unknown', { status: 'ANY_NEW_WORD' }],
    ['running', { status: null, progress: 0.99 }],
    ['finished', { progress: 1 }],
    ['running', { status: { code: 1 } }],
  ])('have the state %s for %j', async (state, fields) => {
    expect(factsOf(await read([record(fields)]))).toMatchObject([{ state }]);
  });

  it.each([
    [{ id: 'risk.load_b.kafka.m1.179' }, { graph: 'risk', job: 'load_b' }],
    [{ id: 'demo_graph_m1.1523663024967' }, { graph: 'fraud', job: '' }],
    [{ id: '<b>.job.file.all.1' }, { graph: 'fraud', job: '' }],
    [{ id: 'fraud."j"\n.file.all.1' }, { graph: 'fraud', job: '"j"\n' }],
    [
      { statistics: null, progress: null, startTime: null },
      { startedAt: 0, progress: 0, lines: { valid: 0 } },
    ],
    [
      { statistics: 'none', currentSpeed: 'fast', progress: 3 },
      { linesPerSecond: 0, progress: 1 },
    ],
    [{ statistics: { fileLevel: { validLine: -1 } } }, { lines: { valid: 0 } }],
  ])('accept %j', async (fields, expected) => {
    expect(factsOf(await read([record(fields)]))).toMatchObject([expected]);
  });

  it('skip entries without an id', async () => {
    const entries = [{}, null, 'text', { overall: {} }, record({ id: '' }), record({ id: 7 }), record()];
    expect(factsOf(await read(entries)).map(({ job }) => job)).toEqual(['load_a']);
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    const pool = new FakePool([current, answer({ error: true, message: 'no' }, status)]);
    const caller = callerOver(pool, { serverVersion: '4.1' });
    expect(failureOf(await fetchLoadingRuns(caller, 'fraud', neverAborted())).reason).toBe(reason);
  });

  it('fail with the reason body for an answer without a list', async () => {
    expect(failureOf(await read({ load_a: record() })).reason).toBe('body');
  });

  it.each(['../abort', 'a&action=abort', 'a b', '', '%2e'])('are not requested for the graph %j', async (graph) => {
    const caller = callerOver(new FakePool(), { serverVersion: '4.1' });
    expect(failureOf(await fetchLoadingRuns(caller, graph, neverAborted()))).toMatchObject({
      reason: 'unsupported',
      message: 'GET /gsql/v1/loading-jobs/status on m1: the name of the graph is invalid',
    });
  });
});
