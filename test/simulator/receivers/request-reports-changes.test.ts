import { expect, it } from 'vitest';
import { simulatedReceiverApis } from '../../../src/notify/receivers/all.ts';
import { changesOnly } from '../../../src/simulator/receivers/received-request.ts';
import { receivedNotification, receivedRequest } from './request-fixtures.ts';

const am = { receiver: 'am', kind: 'alertmanager' } as const;

it('the report omits alerts that Alertmanager has already received', () => {
  const filter = changesOnly(simulatedReceiverApis);
  const [a, b] = [
    receivedNotification('trigger', 'a', { episode: '1' }),
    receivedNotification('trigger', 'b', { episode: '1' }),
  ];
  expect(filter(receivedRequest([a], am))?.notifications).toEqual([a]);
  expect(filter(receivedRequest([a], am))).toBeUndefined();
  expect(filter(receivedRequest([a, b], am))?.notifications).toEqual([b]);
});

it('request report › keeps every change: a resolve, another incident, another receiver', () => {
  const filter = changesOnly(simulatedReceiverApis);
  const first = receivedNotification('trigger', 'a', { episode: '1' });
  const changes = [
    first,
    receivedNotification('resolve', 'a', { episode: '1' }),
    receivedNotification('trigger', 'a', { episode: '2' }),
  ];
  for (const one of changes) expect(filter(receivedRequest([one], am))?.notifications).toEqual([one]);
  expect(filter(receivedRequest([first], { ...am, receiver: 'other' }))?.notifications).toEqual([first]);
});

it('request report › keeps every request to other receivers, and every request that was not accepted', () => {
  const filter = changesOnly(simulatedReceiverApis);
  const deliveries = [
    receivedRequest([receivedNotification('trigger', 'a')]),
    receivedRequest([receivedNotification('trigger', 'a')], { ...am, isAccepted: false }),
  ];
  for (const one of [...deliveries, ...deliveries]) expect(filter(one)).toEqual(one);
});

it('request report › gives a resolve without a summary the summary of its trigger', () => {
  const filter = changesOnly(simulatedReceiverApis);
  const end = receivedRequest([receivedNotification('resolve', 'a', { summary: '' })]);
  expect(filter(end)?.notifications[0]?.summary).toBe('');
  filter(receivedRequest([receivedNotification('trigger', 'a')]));
  expect(filter(receivedRequest(end.notifications, { isAccepted: false }))?.notifications[0]?.summary).toBe('about a');
  expect(filter(end)?.notifications[0]?.summary).toBe('about a');
  expect(filter(end)?.notifications[0]?.summary).toBe('');
});

it('request report › keeps a request without notifications', () => {
  expect(changesOnly(simulatedReceiverApis)(receivedRequest([]))).toEqual(receivedRequest([]));
});
