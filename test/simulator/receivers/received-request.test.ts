import { expect, it } from 'vitest';
import { requestLines } from '../../../src/simulator/receivers/received-request.ts';
import { receivedNotification, receivedRequest } from './request-fixtures.ts';

it('received request › prints a line for each incident and receiver', () => {
  const both = receivedRequest([
    receivedNotification('trigger', 'a', { episode: '3' }),
    receivedNotification('resolve', 'b', { summary: '' }),
  ]);
  expect(requestLines(both)).toEqual([
    '04:05:06Z  oncall  trigger  about a (incident 3)',
    '04:05:06Z  oncall  resolve  b',
  ]);
});

it.each([
  [{ isAccepted: false, status: 503 }, '  → 503'],
  [{ isAccepted: true, status: 400 }, '  → 400, accepted in part'],
  [{ isAccepted: true, answer: 'lost' }, '  → accepted, no reply'],
  [{ isAccepted: false, answer: 'lost' }, '  → not accepted, no reply'],
] as const)('a received request has its response: %j', (more, end) => {
  expect(requestLines(receivedRequest([receivedNotification('trigger', 'a')], more))).toEqual([
    `04:05:06Z  oncall  trigger  about a${end}`,
  ]);
});

it('received request › reports a request that it could not parse', () => {
  expect(requestLines(receivedRequest([], { isAccepted: false, status: 400 }))).toEqual([
    '04:05:06Z  oncall  unreadable  → 400',
  ]);
  expect(requestLines(receivedRequest([]))).toEqual(['04:05:06Z  oncall  nothing']);
});

it('received request › does not print an incident number twice', () => {
  const [line] = requestLines(
    receivedRequest([receivedNotification('message', '', { summary: 'm1 is gone (a1-3)', episode: 'a1-3' })]),
  );
  expect(line).toBe('04:05:06Z  oncall  message  m1 is gone (a1-3)');
});

it('received request › truncates long texts, and removes control characters', () => {
  const [line] = requestLines(
    receivedRequest([receivedNotification('message', '', { summary: `\u001b[31m${'x'.repeat(500)}\nmore` })]),
  );
  expect(line).toMatch(/^04:05:06Z {2}oncall {2}message {3}\[31mx+…$/);
  expect(line?.length).toBeLessThan(200);
});
