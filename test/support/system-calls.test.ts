import { expect, it } from 'vitest';
import { callsOf, isLog, isSync } from './system-calls.ts';

it('calls of several threads are combined in the order of their returns', () => {
  const trace = [
    '11 fdatasync(21</s/state.db-wal> <unfinished ...>',
    '12 write(30<TCP:[1->2]>, "POST (x) = 1", 12) = 12',
    '11 <... fdatasync resumed>)          = 0',
    '12 +++ exited with 0 +++',
  ].join('\n');
  const calls = callsOf(trace);
  expect(calls).toEqual([
    { name: 'write', text: '30<TCP:[1->2]>, "POST (x) = 1", 12', result: '12', began: 1, returned: 1 },
    { name: 'fdatasync', text: '21</s/state.db-wal>', result: '0', began: 0, returned: 2 },
  ]);
  expect([calls.map(isLog), calls.map(isSync)]).toEqual([
    [false, true],
    [false, true],
  ]);
});

it('a failed call is not a sync', () => {
  expect(callsOf('11 fsync(21</s/state.db-wal>) = -1 EIO').map(isSync)).toEqual([false]);
});
