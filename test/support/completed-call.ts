import type { CompletedCall } from '../../src/graphdb/completed-call.ts';

/** Successful call of 120 ms, which tests override. */
export const completedCall: CompletedCall = {
  node: 'm1',
  name: 'echo',
  method: 'GET',
  template: '/restpp/echo',
  url: 'http://m1.test:14240/restpp/echo',
  status: 200,
  started: { wall: 1_790_000_000_010, mono: 10 },
  ended: { wall: 1_790_000_000_130, mono: 130 },
  isCancelled: false,
  retries: 0,
};
