import { expect, it } from 'vitest';
import type { ReceivedRequest } from '../../../src/simulator/receivers/received-request.ts';
import { openIncidents } from '../../../src/simulator/receivers/received-request.ts';
import { receivedAt, receivedNotification, receivedRequest } from './request-fixtures.ts';

function open(...deliveries: readonly ReceivedRequest[]): readonly string[] {
  return openIncidents(deliveries, 'oncall', receivedAt).map(({ key }) => key);
}

const ends = (until: number) => receivedRequest([receivedNotification('trigger', 'a', { until })]);

it('open incident › opens with a trigger, stays open with another one, and closes with a resolve', () => {
  expect(
    open(
      receivedRequest([receivedNotification('trigger', 'a')]),
      receivedRequest([receivedNotification('trigger', 'b'), receivedNotification('trigger', 'a')]),
    ),
  ).toEqual(['a', 'b']);
  expect(
    open(
      receivedRequest([receivedNotification('trigger', 'a'), receivedNotification('trigger', 'b')]),
      receivedRequest([receivedNotification('resolve', 'a')]),
    ),
  ).toEqual(['b']);
});

it('open incident › ignores a resolve without a trigger, so that a later trigger stays open', () => {
  expect(
    open(
      receivedRequest([receivedNotification('resolve', 'a')]),
      receivedRequest([receivedNotification('trigger', 'a')]),
    ),
  ).toEqual(['a']);
});

it('open incident › does not count rejected requests, requests to other receivers, and messages', () => {
  const trigger = [receivedNotification('trigger', 'a')];
  const lost = receivedRequest(trigger, { isAccepted: false });
  expect(
    open(
      lost,
      receivedRequest(trigger, { receiver: 'other' }),
      receivedRequest([receivedNotification('message', 'a')]),
    ),
  ).toEqual([]);
});

it('open incident › counts an accepted request whose response was lost', () => {
  expect(open(receivedRequest([receivedNotification('trigger', 'a')], { answer: 'lost' }))).toEqual(['a']);
});

it('open incident › counts every trigger without a key as a new incident', () => {
  expect(
    open(
      receivedRequest([receivedNotification('trigger', ''), receivedNotification('trigger', '')]),
      receivedRequest([receivedNotification('resolve', '')]),
    ),
  ).toHaveLength(2);
});

it('open incident › closes an incident at its end time, unless a request extends it', () => {
  expect(open(ends(receivedAt))).toEqual([]);
  expect(open(ends(receivedAt), ends(receivedAt + 1))).toEqual(['a']);
});
