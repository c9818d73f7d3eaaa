import type { FaultContext } from '../../../src/simulator/faults/fault.ts';
import { json, type Reply } from '../../../src/simulator/replies.ts';
import { FakeClock } from '../../support/clock.ts';

/** Input of faults: a list of two entries by default. */
export function faultContextOf(more: Partial<FaultContext> = {}): FaultContext {
  return {
    reply: healthyReply,
    path: '/restpp/showprocesslistall',
    otherNodeUrl: 'http://127.0.0.1:1',
    clock: new FakeClock(),
    disconnected: new AbortController().signal,
    ...more,
  };
}

/** A healthy answer. */
export const healthyReply: Reply = json({
  error: false,
  results: [
    { id: 'a {b', n: 1 },
    { id: 'c', n: 2 },
  ],
  code: 'REST-0000',
});
