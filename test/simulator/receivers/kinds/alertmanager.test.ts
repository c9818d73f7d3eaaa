import { describe, expect, it } from 'vitest';
import { alertmanager } from '../../../../src/simulator/receivers/kinds/alertmanager.ts';
import { night } from '../letters.ts';

const at = (offset: number): string => new Date(night + offset).toISOString();

function take(...alerts: readonly object[]) {
  return alertmanager.take(JSON.stringify(alerts), night);
}

const labels = { alertname: 'Gone', node: 'm1' };

describe('alerts that are in order', () => {
  it('fire until their end, told apart by all their labels', () => {
    const annotations = { summary: 'm1 is gone', episode: '4' };
    const { reply, kept } = take({ labels, annotations, startsAt: at(-1), endsAt: at(1) });
    expect(reply).toMatchObject({ status: 200, body: '' });
    const key = 'alertname="Gone",node="m1"';
    expect(kept).toEqual([{ action: 'trigger', key, episode: '4', summary: 'm1 is gone', until: night + 1 }]);
  });

  it('are over when their end is not to come', () => {
    expect(take({ labels, endsAt: at(0) }, { labels, endsAt: at(-9) }).kept.map(({ action }) => action)).toEqual([
      'resolve',
      'resolve',
    ]);
  });

  it('fire for five minutes where they name no end', () => {
    expect(take({ labels }).kept).toMatchObject([{ action: 'trigger', summary: 'Gone', until: night + 300_000 }]);
  });

  it('are the same whatever the order of their labels, and with empty ones', () => {
    const [one, other] = take({ labels }, { labels: { zone: '', node: 'm1', alertname: 'Gone' } }).kept;
    expect(other).toEqual(one);
  });
});

describe('alerts with faults', () => {
  it.each([
    [{ labels: {} }, 'at least one label pair required'],
    [{ labels: { node: '' } }, 'at least one label pair required'],
    [{ labels: { 'no-name': 'x' } }, 'invalid label set: invalid name "no-name"'],
    [{ labels, startsAt: at(1), endsAt: at(0) }, 'start time must be before end time'],
  ])('%j', (alert, sentence) => {
    const { reply, kept } = take(alert);
    expect([reply.status, JSON.parse(reply.body), kept]).toEqual([400, sentence, []]);
  });

  it('do not keep the others from being taken', () => {
    const { reply, kept } = take({ labels: {} }, { labels });
    expect(reply.status).toBe(400);
    expect(kept).toMatchObject([{ action: 'trigger', summary: 'Gone' }]);
  });

  it('are refused with everything else where the request itself is wrong', () => {
    expect(alertmanager.take('oops', night)).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(alertmanager.take('{}', night)).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(take({ labels }, {})).toMatchObject({ kept: [], reply: { status: 422 } });
    expect(take({ labels }, { labels: { node: 1 } })).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(take({ labels, endsAt: 'tomorrow' })).toMatchObject({ kept: [], reply: { status: 400 } });
  });
});
