import { describe, expect, it } from 'vitest';
import { readAlerts, readSilence, readSilences } from '../../src/cli/read-alerts.ts';

const alert = {
  key: 'k1',
  episode: 7,
  cluster: 'prod',
  rule: 'disk_filling',
  severity: 'warning',
  phase: 'firing',
  labels: { node: 'm1' },
  annotations: { summary: 'The disk of m1 fills.' },
  startsAt: '2026-01-31T12:00:00.000Z',
  endsAt: null,
  silencedBy: 's1',
  inhibitedBy: null,
  maintenance: null,
};

const silence = {
  id: 's1',
  match: { node: ['m1', 'm2'] },
  startsAt: '2026-01-31T12:00:00.000Z',
  endsAt: '2026-01-31T14:00:00.000Z',
  author: 'alice',
  reason: 'new disks',
};

describe('a page of alerts', () => {
  it('is read as it is', () => {
    expect(readAlerts({ items: [alert], total: 1 })).toEqual({ items: [alert], total: 1 });
  });

  it('may lack what another version does not tell', () => {
    const { rule, severity, phase, startsAt } = alert;
    const item = { rule, severity, phase, startsAt, labels: { node: 7 }, more: true };
    expect(readAlerts({ items: [item], total: 1 })?.items[0]).toEqual({
      key: '',
      episode: 0,
      cluster: '',
      rule,
      severity,
      phase,
      labels: { node: '' },
      annotations: {},
      startsAt,
      endsAt: null,
      silencedBy: null,
      inhibitedBy: null,
      maintenance: null,
    });
  });

  it.each([
    [{ items: [null], total: 1 }],
    [{ items: [{ ...alert, rule: 7 }], total: 1 }],
    [{ items: [{ ...alert, phase: 'over' }], total: 1 }],
    [{ items: [{ ...alert, severity: 'page' }], total: 1 }],
    [{ items: [{ ...alert, startsAt: 'soon' }], total: 1 }],
    [{ items: 7, total: 1 }],
  ])('is not %j', (answer) => {
    expect(readAlerts(answer)).toBeUndefined();
  });
});

describe('a silence', () => {
  it('is read as it is', () => {
    expect(readSilence(silence)).toEqual(silence);
    expect(readSilences({ items: [silence], total: 1 })).toEqual({ items: [silence], total: 1 });
  });

  it('may lack what is not needed to name it', () => {
    const { id, startsAt, endsAt } = silence;
    expect(readSilence({ id, startsAt, endsAt, match: { node: 'm1', a: ['x', 7] } })).toEqual({
      id,
      startsAt,
      endsAt,
      match: { node: [], a: ['x'] },
      author: '',
      reason: '',
    });
  });

  it.each([[null], [{ ...silence, id: '' }], [{ ...silence, endsAt: 7 }], [{ ...silence, startsAt: '' }]])(
    'is not %j',
    (answer) => {
      expect(readSilence(answer)).toBeUndefined();
    },
  );
});
