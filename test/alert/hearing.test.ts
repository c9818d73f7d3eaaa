import { describe, expect, it } from 'vitest';
import { alertsOf, silencesOf } from '../../src/alert/views.ts';
import { Bed, everything, ruleOf, selfRuleOf } from './alerting-bed.ts';

const slow = ruleOf('slow', { hold: 60_000, keepFiring: 30_000 });
const quick = ruleOf('quick', { severity: 'critical' });
const m1 = { node: 'm1' };
const second = 1000;

/** A look at ourselves that finds a receiver in trouble. */
function troubled(receiver: string) {
  const view = { receiver, failing: true, result: 'broken', depth: 1, parked: 0 };
  return { kind: 'self', self: { receivers: [view], stateDurable: true, stateTrouble: '' } } as const;
}

describe('receivers', () => {
  const receivers = [
    { name: 'oncall', heartbeat: false },
    { name: 'chat', heartbeat: true },
    { name: 'mail', heartbeat: false },
  ];
  const route = { ...everything, groupBy: ['cluster_name'] };

  it('are those of the first route that matches, and of the next where it goes on', async () => {
    const routes = [
      { ...route, match: { severity: ['critical'] }, receivers: ['oncall'], goesOn: true, fallback: 'mail' },
      { ...route, receivers: ['chat', 'oncall'], groupWait: 30_000 },
      { ...route, receivers: ['mail'] },
    ];
    const bed = new Bed({ rules: [quick, slow], receivers, settings: { routes } });
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > oncall, chat']);
    const [notice] = bed.notices;
    expect(notice?.kind === 'trigger' && notice.to).toEqual([
      { receiver: 'oncall', group: { cluster_name: 'prod' }, groupWait: 0, fallback: 'mail' },
      { receiver: 'chat', group: { cluster_name: 'prod' }, groupWait: 30_000 },
    ]);
  });

  it('are reminded, each in its time', async () => {
    const routes = [
      { ...route, receivers: ['oncall'], repeat: 60_000, goesOn: true },
      { ...route, receivers: ['chat'], repeat: 90_000, goesOn: true },
      { ...route, receivers: ['mail'] },
    ];
    const bed = new Bed({ rules: [quick], receivers, settings: { routes } });
    const wrong = { rules: { quick: [m1] } };
    await bed.look(wrong);
    expect(await bed.look(wrong, 59 * second)).toEqual([]);
    expect(await bed.look(wrong, second)).toEqual(['again quick m1 > oncall']);
    expect(await bed.look(wrong, 30 * second)).toEqual(['again quick m1 > chat']);
    expect(await bed.look(wrong, 90 * second)).toEqual(['again quick m1 > oncall, chat']);
    expect(new Set(bed.notices.map(({ alert }) => alert.episode)).size).toBe(1);
  });

  it('that came later hear of what fires', async () => {
    const bed = new Bed({ rules: [quick], receivers });
    await bed.look({ rules: { quick: [m1] } });
    const later = new Bed({ rules: [quick], receivers: [...receivers, { name: 'new', heartbeat: false }] });
    later.state = bed.state;
    expect(await later.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > new']);
  });

  it('hear of the trouble of others, not of their own', async () => {
    const failing = selfRuleOf('delivery_failing');
    const routes = [{ ...route, receivers: ['chat', 'mail'], fallback: 'oncall' }];
    const bed = new Bed({ rules: [failing], receivers, settings: { routes } });
    expect(await bed.step(troubled('chat'))).toEqual(['trigger delivery_failing chat > mail']);
    const alone = new Bed({ rules: [failing], receivers, settings: { routes: [{ ...route, receivers: ['chat'] }] } });
    expect(await alone.step(troubled('chat'))).toEqual(['trigger delivery_failing chat > oncall, mail']);
    const back = new Bed({ rules: [failing], receivers, settings: { routes } });
    await back.step(troubled('oncall'));
    const [notice] = back.notices;
    expect(notice?.kind === 'trigger' && notice.to.map(({ fallback }) => fallback)).toEqual([undefined, undefined]);
  });

  it('get the heartbeat once a minute where they want it, whatever is silenced', async () => {
    const watchdog = selfRuleOf('watchdog', { labels: [], judge: () => [{ labels: {}, facts: {} }] });
    const bed = new Bed({ rules: [watchdog], receivers });
    const silence = { id: 's', match: {}, startsAt: 0, endsAt: bed.wall + 1e9, author: 'me', reason: 'test' };
    await bed.step({ kind: 'silence', silence });
    const self = { kind: 'self', self: { receivers: [], stateDurable: true, stateTrouble: '' } } as const;
    const told = [];
    for (let minute = 0; minute < 180; minute += 1) told.push(...(await bed.step(self, second)));
    expect(told).toEqual(['trigger watchdog > chat', 'again watchdog > chat', 'again watchdog > chat']);
  });
});

describe('what holds an alert back', () => {
  const silence = { id: 's1', match: { node: ['m1'] }, author: 'me', reason: 'test' };

  it('is a silence, until it ends: then whoever should know is told', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    const wrong = { rules: { quick: [m1, { node: 'm2' }] } };
    expect(await bed.look(wrong)).toEqual(['trigger quick m2 > chat']);
    expect(alertsOf(bed.state).map(({ silencedBy }) => silencedBy)).toEqual(['s1', undefined]);
    expect(await bed.look(wrong, 59 * second)).toEqual([]);
    expect(await bed.look(wrong, second)).toEqual(['trigger quick m1 > chat']);
  });

  it('may be ended before its time, and is gone when it is over', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.look({ rules: { quick: [m1] } });
    expect(silencesOf(bed.state, bed.now).map(({ id }) => id)).toEqual(['s1']);
    await bed.step({ kind: 'unsilence', id: 's1' });
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    expect(await bed.store.count({ table: 'silences' })).toEqual({ ok: true, value: 0 });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    const self = { kind: 'self', self: { receivers: [], stateDurable: true, stateTrouble: '' } } as const;
    await bed.step(self, 60_000);
    expect(bed.state.silences.size).toBe(0);
    expect(await bed.store.count({ table: 'silences' })).toEqual({ ok: true, value: 0 });
  });

  it('never holds back an end that is owed', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.look({ rules: { quick: [m1] } });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    expect(await bed.look({ rules: {} }, second)).toEqual(['resolve quick m1']);
  });

  it('owes no end of what nobody heard of', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.look({ rules: { quick: [m1] } });
    expect(await bed.look({ rules: {} }, second)).toEqual([]);
  });

  it('is a maintenance window', async () => {
    const window = { name: 'nightly', match: { cluster_name: ['prod'] }, days: [2], from: 0, to: 300, zone: 'UTC' };
    const bed = new Bed({ rules: [quick], settings: { maintenance: [window] } });
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual([]);
    expect(alertsOf(bed.state)[0]?.maintenance).toBe('nightly');
    expect(await bed.look({ rules: { quick: [m1] } }, 400 * second)).toEqual(['trigger quick m1 > chat']);
  });

  it('is the alert that explains it', async () => {
    const unreachable = ruleOf('node_unreachable');
    const bed = new Bed({ rules: [quick, unreachable] });
    const wrong = { rules: { quick: [m1, { node: 'm2' }], node_unreachable: [m1] } };
    expect(await bed.look(wrong)).toEqual(['trigger quick m2 > chat', 'trigger node_unreachable m1 > chat']);
    const [held] = alertsOf(bed.state).filter(({ inhibitedBy }) => inhibitedBy !== undefined);
    expect(held?.inhibitedBy).toBe(alertsOf(bed.state).find(({ rule }) => rule === 'node_unreachable')?.key);
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['resolve quick m2', 'resolve node_unreachable m1']);
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
  });
});
