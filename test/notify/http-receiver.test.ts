import { describe, expect, it } from 'vitest';
import { evaluateReply } from '../../src/notify/evaluate-reply.ts';
import { httpReceiver } from '../../src/notify/http-receiver.ts';
import { answer, FakePool } from '../support/fake-pool.ts';
import { alertsNotification, digestNotification, firingAlert } from '../support/notifications.ts';
import { receiverSettings } from '../support/receiver-settings.ts';
import { portsOver } from './receivers/receiver-ports.ts';

const unit = httpReceiver({
  kind: 'pigeon',
  about: 'Carrier pigeon.',
  fields: {},
  secrets: {},
  limits: { maxBatch: 2 },
  format: ({ alerts }) => ({ url: 'http://loft.test/fly', body: String(alerts.length) }),
  evaluate: evaluateReply,
});

function send(pool: FakePool, request: Parameters<ReturnType<typeof unit.open>['send']>[0]) {
  const notifier = unit.open(receiverSettings('pigeon'), '', portsOver(pool));
  return notifier.send(request, 'full', 0, new AbortController().signal);
}

describe('httpReceiver', () => {
  it('derives the traits from the limits', () => {
    expect(unit.traits).toEqual({ maxBatch: 2, minInterval: 0, acceptsDigests: false, isLevelTriggered: false });
  });

  it('posts the result of format', async () => {
    const pool = new FakePool(['POST /fly', answer('', 200)]);
    expect(await send(pool, alertsNotification(firingAlert(), firingAlert()))).toEqual({
      kind: 'accepted',
      status: 200,
      proof: '',
      request: { method: 'POST', url: 'http://loft.test/REDACTED' },
    });
    expect(pool.requests[0]?.body).toBe('2');
  });

  it('rejects requests above the batch limit, empty requests and digests without a request', async () => {
    const alert = firingAlert();
    for (const request of [alertsNotification(), alertsNotification(alert, alert, alert), digestNotification(1)]) {
      expect(await send(new FakePool(), request)).toMatchObject({ kind: 'refused' });
    }
  });
});
