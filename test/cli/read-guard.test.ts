import { describe, expect, it } from 'vitest';
import { readAbort, readGuard } from '../../src/cli/read-guard.ts';

const abort = { cluster: 'prod', node: 'm1', id: '7', graph: 'fraud', query: 'q', outcome: 'confirmed' };
const guard = { paused: true, reasons: ['file'], mode: 'enforce', policies: [], breakers: [] };

describe('an abort', () => {
  it('is read, without what is not known', () => {
    expect(readAbort({ ...abort, more: 1 })).toEqual(abort);
    expect(readAbort({ ...abort, outcome: null })).toEqual({ ...abort, outcome: null });
  });

  it.each([null, [], {}, 7, { ...abort, outcome: 'done' }, { ...abort, outcome: undefined }, { ...abort, id: 7 }])(
    'is not %j',
    (answer) => {
      expect(readAbort(answer)).toBeUndefined();
    },
  );

  it('is none without its outcome, nor of no cluster and node', () => {
    const { outcome, ...rest } = abort;
    expect(outcome).toBe('confirmed');
    expect(readAbort(rest)).toBeUndefined();
    expect(readAbort({ ...abort, cluster: '' })).toBeUndefined();
    expect(readAbort({ ...abort, node: '' })).toBeUndefined();
  });
});

describe('how the guard stands', () => {
  it('is read, and what is odd aborts nothing', () => {
    const policies = [{ name: 'a', mode: 'enforce' }, { name: 'b', mode: 'sometimes' }, 7];
    const read = readGuard({ ...guard, reasons: ['file', 'else', 'operator'], mode: 'x', policies, breakers: [{}] });
    expect(read).toEqual({
      paused: true,
      reasons: ['operator', 'file'],
      mode: 'observe',
      policies: [
        { name: 'a', mode: 'enforce' },
        { name: 'b', mode: 'observe' },
        { name: '', mode: 'observe' },
      ],
      breakers: [{ cluster: '', key: '', reason: 'same_query', graph: '', query: '', policy: '', since: '' }],
    });
  });

  it('keeps the moment of a breaker, and its reason', () => {
    const breakers = [{ key: 'no_relief a', reason: 'no_relief', since: '2026-09-22T04:53:20.000Z' }];
    expect(readGuard({ ...guard, breakers })?.breakers).toMatchObject(breakers);
  });

  it.each([null, {}, { ...guard, paused: 'no' }, { ...guard, reasons: 'file' }, { ...guard, breakers: undefined }])(
    'is not %j',
    (answer) => {
      expect(readGuard(answer)).toBeUndefined();
    },
  );
});
