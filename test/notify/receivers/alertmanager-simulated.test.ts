import { describe, expect, it } from 'vitest';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

const at = (offset: number): string => new Date(receivedAt + offset).toISOString();

function take(...alerts: readonly object[]) {
  return twinOf('alertmanager').handle(JSON.stringify(alerts), receivedAt);
}

const labels = { alertname: 'Gone', node: 'm1' };

describe('valid alerts', () => {
  it('fire until their end, distinguished by all their labels', () => {
    const annotations = { summary: 'm1 is gone', episode: '4' };
    const { reply, kept } = take({ labels, annotations, startsAt: at(-1), endsAt: at(1) });
    expect(reply).toMatchObject({ status: 200, body: '' });
    const key = 'alertname="Gone",node="m1"';
    expect(kept).toEqual([{ action: 'trigger', key, episode: '4', summary: 'm1 is gone', until: receivedAt + 1 }]);
  });

  it('are resolved if their end is not in the future', () => {
    expect(take({ labels, endsAt: at(0) }, { labels, endsAt: at(-9) }).kept.map(({ action }) => action)).toEqual([
      'resolve',
      'resolve',
    ]);
  });

  it('fire for five minutes without an end', () => {
    expect(take({ labels }).kept).toMatchObject([{ action: 'trigger', summary: 'Gone', until: receivedAt + 300_000 }]);
  });

  it('are identical regardless of label order and empty labels', () => {
    const [one, other] = take({ labels }, { labels: { zone: '', node: 'm1', alertname: 'Gone' } }).kept;
    expect(other).toEqual(one);
  });
});

describe('invalid alerts', () => {
  it.each([
    [{ labels: {} }, 'at least one label pair required'],
    [{ labels: { node: '' } }, 'at least one label pair required'],
    [{ labels: { 'no-name': 'x' } }, 'invalid label set: invalid name "no-name"'],
    [{ labels, startsAt: at(1), endsAt: at(0) }, 'start time must be before end time'],
  ])('%j', (alert, sentence) => {
    const { reply, kept } = take(alert);
    expect([reply.status, JSON.parse(reply.body), kept]).toEqual([400, sentence, []]);
  });

  it('do not prevent the acceptance of valid ones', () => {
    const { reply, kept } = take({ labels: {} }, { labels });
    expect(reply.status).toBe(400);
    expect(kept).toMatchObject([{ action: 'trigger', summary: 'Gone' }]);
  });

  it('are rejected with all others if the request itself is invalid', () => {
    expect(twinOf('alertmanager').handle('oops', receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(twinOf('alertmanager').handle('{}', receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(take({ labels }, {})).toMatchObject({ kept: [], reply: { status: 422 } });
    expect(take({ labels }, { labels: { node: 1 } })).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(take({ labels, endsAt: 'tomorrow' })).toMatchObject({ kept: [], reply: { status: 400 } });
  });
});
