import { describe, expect, it } from 'vitest';
import { alertsOf } from '../../src/alert/views.ts';
import { Bed, everything, ruleOf, settingsOf, situationOf } from './alerting-bed.ts';

const slow = ruleOf('slow', { hold: 60_000, keepFiring: 30_000 });
const quick = ruleOf('quick', { severity: 'critical' });
const m1 = { node: 'm1' };
const second = 1000;

describe('an alert', () => {
  it('is pending for its hold, fires once, keeps firing for a while, and is resolved once', async () => {
    const bed = new Bed({ rules: [slow] });
    const wrong = { rules: { slow: [m1] } };
    const well = { rules: {} };
    expect(await bed.look(wrong)).toEqual([]);
    expect(alertsOf(bed.state).map(({ phase, episode }) => [phase, episode])).toEqual([['pending', 0]]);
    expect(await bed.look(wrong, 59 * second)).toEqual([]);
    expect(await bed.look(wrong, second)).toEqual(['trigger slow m1 > chat']);
    expect(await bed.look(wrong, second)).toEqual([]);
    expect(await bed.look(well, 29 * second)).toEqual([]);
    expect(alertsOf(bed.state).map(({ phase }) => phase)).toEqual(['firing']);
    expect(await bed.look(well, second)).toEqual(['resolve slow m1']);
    expect(await bed.look(well, second)).toEqual([]);
    expect(alertsOf(bed.state).map(({ phase }) => phase)).toEqual(['resolved']);
  });

  it('that was well for less than it keeps firing goes on as the same episode', async () => {
    const bed = new Bed({ rules: [slow] });
    await bed.look({ rules: { slow: [m1] } });
    await bed.look({ rules: { slow: [m1] } }, 60 * second);
    await bed.look({ rules: {} }, 20 * second);
    expect(await bed.look({ rules: { slow: [m1] } }, 5 * second)).toEqual([]);
    expect(await bed.look({ rules: {} }, 29 * second)).toEqual([]);
    expect(bed.notices).toHaveLength(1);
  });

  it('that does not hold is forgotten, and nobody hears of it', async () => {
    const bed = new Bed({ rules: [slow] });
    await bed.look({ rules: { slow: [m1] } });
    expect(await bed.look({ rules: {} }, 59 * second)).toEqual([]);
    expect(alertsOf(bed.state)).toEqual([]);
    await bed.look({ rules: { slow: [m1] } }, second);
    expect(await bed.look({ rules: { slow: [m1] } }, 59 * second)).toEqual([]);
  });

  it('says what, where and since when, with links', async () => {
    const bed = new Bed({ rules: [quick], externalUrl: 'https://warden.example.org/gw/' });
    await bed.look({ rules: { quick: [m1] }, value: 7 });
    const [notice] = bed.notices;
    expect(notice).toMatchObject({ kind: 'trigger', again: false, due: bed.wall });
    expect(notice?.alert).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      episode: Math.floor(bed.wall / 1000),
      rule: 'quick',
      severity: 'critical',
      labels: { alertname: 'GraphdbQuick', severity: 'critical', cluster_name: 'prod', env: 'test', node: 'm1' },
      annotations: {
        summary: 'quick on m1 of prod',
        description: 'It is at 7.',
        runbook_url: expect.stringMatching(/\/docs\/runbook\.md#quick$/),
        dashboard_url: 'https://warden.example.org/gw/',
        episode: String(Math.floor(bed.wall / 1000)),
        started: '2026-09-22T04:53:20.000Z',
      },
      status: 'firing',
      startsAt: bed.wall,
      generatorUrl: 'https://warden.example.org/gw/',
    });
    await bed.look({ rules: {} }, 5 * second);
    expect(bed.notices[1]?.alert).toMatchObject({
      status: 'resolved',
      endsAt: bed.wall,
      episode: notice?.alert.episode,
    });
  });

  it('has another number each time, and the same key', async () => {
    const bed = new Bed({ rules: [quick] });
    for (let round = 0; round < 3; round += 1) {
      await bed.look({ rules: { quick: [m1] } });
      await bed.look({ rules: {} });
    }
    const triggers = bed.notices.filter(({ kind }) => kind === 'trigger').map(({ alert }) => alert);
    expect(new Set(triggers.map(({ episode }) => episode)).size).toBe(3);
    expect(new Set(triggers.map(({ key }) => key)).size).toBe(1);
  });

  it('is another one on another node, in another cluster, and of another severity', async () => {
    const grave = ruleOf('grave', {
      judge: (situation) =>
        situation
          .samples('rule_grave')
          .map(({ labels, value }) => ({ labels, facts: {}, severity: value > 5 ? 'critical' : 'warning' })),
    });
    const bed = new Bed({ rules: [grave] });
    expect(await bed.look({ rules: { grave: [m1, { node: 'm2' }] } })).toHaveLength(2);
    expect(await bed.look({ rules: { grave: [m1] }, cluster: 'test' })).toEqual(['trigger grave m1 > chat']);
    expect(await bed.look({ rules: { grave: [m1, { node: 'm2' }] }, value: 9 })).toEqual([
      'resolve grave m1',
      'resolve grave m2',
      'trigger grave m1 > chat',
      'trigger grave m2 > chat',
    ]);
    expect(new Set(bed.notices.map(({ alert }) => alert.key)).size).toBe(5);
  });

  it('begins when its facts say that it began', async () => {
    const known = ruleOf('known', {
      hold: 60_000,
      judge: (_, __, now) => [{ labels: m1, facts: {}, since: now.wall - 100_000 }],
    });
    const bed = new Bed({ rules: [known] });
    expect(await bed.look({ rules: {} })).toEqual(['trigger known m1 > chat']);
    expect(bed.notices[0]?.alert.startsAt).toBe(bed.wall - 100_000);
  });

  it('may be more or less urgent, and last longer, than its rule says', async () => {
    const patient = ruleOf('patient', { judge: () => [{ labels: m1, facts: {}, hold: 10_000 }] });
    const bed = new Bed({ rules: [patient] });
    expect(await bed.look({ rules: {} })).toEqual([]);
    expect(await bed.look({ rules: {} }, 10 * second)).toHaveLength(1);
    const strict = new Bed({
      rules: [patient],
      settings: { rules: { patient: settingsOf(patient, { hold: 20_000 }) } },
    });
    await strict.look({ rules: {} });
    expect(await strict.look({ rules: {} }, 19 * second)).toEqual([]);
    expect(await strict.look({ rules: {} }, second)).toHaveLength(1);
  });

  it('does not fire because the clock was set', async () => {
    const bed = new Bed({ rules: [slow] });
    await bed.look({ rules: { slow: [m1] } });
    bed.setClock(3_600_000);
    expect(await bed.look({ rules: { slow: [m1] } })).toEqual([]);
  });

  it('waits for nothing because the clock was set back', async () => {
    const since = ruleOf('since', {
      hold: 60 * second,
      judge: (situation) => situation.samples('rule_since').map(({ labels }) => ({ labels, facts: {}, since: began })),
    });
    const routes = [{ ...everything, receivers: ['chat'], repeat: 3_600_000 }];
    const bed = new Bed({ rules: [since], settings: { routes } });
    const began = bed.wall - 20 * second;
    await bed.look({ rules: { since: [m1] } });
    bed.setClock(-1_800_000);
    expect(await bed.look({ rules: { since: [m1] } }, 38 * second)).toEqual([]);
    expect(await bed.look({ rules: { since: [m1] } }, 2 * second)).toEqual(['trigger since m1 > chat']);
    bed.setClock(-1_800_000);
    expect(await bed.look({ rules: { since: [m1] } }, second)).toEqual(['again since m1 > chat']);
    expect(await bed.look({ rules: { since: [m1] } }, second)).toEqual([]);
  });
});

describe('what is not known', () => {
  it('neither begins nor ends', async () => {
    const bed = new Bed({ rules: [quick] });
    expect(await bed.look({ rules: { quick: [m1] }, stale: ['m1'] })).toEqual([]);
    expect(await bed.look({ rules: { quick: [m1] }, stale: ['m2'] })).toEqual(['trigger quick m1 > chat']);
    expect(await bed.look({ rules: {}, stale: ['m1'] }, 3_600_000)).toEqual([]);
    expect(await bed.look({ rules: {} })).toEqual(['resolve quick m1']);
  });

  it('is everything before any collector is declared', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.look({ rules: { quick: [m1] } });
    const blank = { ...situationOf({ rules: {} }), collectors: [], nodes: [] };
    expect(await bed.step({ kind: 'situation', situation: blank }, 3_600_000)).toEqual([]);
  });

  it('keeps firing from where it was known again', async () => {
    const bed = new Bed({ rules: [slow] });
    await bed.look({ rules: { slow: [m1] } });
    await bed.look({ rules: { slow: [m1] } }, 60 * second);
    await bed.look({ rules: {}, stale: ['m1'] }, 600 * second);
    expect(await bed.look({ rules: {} }, 29 * second)).toEqual([]);
    expect(await bed.look({ rules: {} }, second)).toEqual(['resolve slow m1']);
  });

  it('is nothing of a node that left the configuration', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.look({ rules: { quick: [{ node: 'm9' }] } });
    expect(await bed.look({ rules: {} })).toEqual(['resolve quick m9']);
  });
});

describe('a restart', () => {
  it('pages nobody again and resolves nothing that was not looked at, a hundred times over', async () => {
    const bed = new Bed({ rules: [quick, slow] });
    const wrong = { rules: { quick: [m1, { node: 'm2' }] } };
    await bed.look(wrong);
    for (let round = 0; round < 100; round += 1) {
      await bed.restart(second);
      const blank = { ...situationOf({ rules: {} }), collectors: [] };
      expect(await bed.step({ kind: 'clusters', names: ['prod'] })).toEqual([]);
      expect(await bed.step({ kind: 'situation', situation: blank }, second)).toEqual([]);
      expect(await bed.look({ rules: {}, stale: ['m1', 'm2'] }, second)).toEqual([]);
      expect(await bed.look(wrong, second)).toEqual([]);
    }
    expect(await bed.look({ rules: { quick: [{ node: 'm2' }] } })).toEqual(['resolve quick m1']);
    await bed.restart();
    expect(await bed.look({ rules: {} })).toEqual(['resolve quick m2']);
    expect(bed.notices).toHaveLength(4);
    expect(await bed.store.count({ table: 'episodes' })).toEqual({ ok: true, value: 0 });
  });

  it('keeps silences, and knows who was told', async () => {
    const bed = new Bed({ rules: [quick] });
    const silence = { id: 's1', match: { node: ['m1'] }, author: 'me', reason: 'test' };
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.look({ rules: { quick: [m1] } });
    await bed.restart();
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual([]);
    expect(await bed.look({ rules: { quick: [m1] } }, 60 * second)).toEqual(['trigger quick m1 > chat']);
    await bed.restart();
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual([]);
  });

  it('does not give a number twice', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.look({ rules: { quick: [m1] } });
    await bed.restart();
    await bed.look({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(new Set(bed.notices.map(({ alert }) => alert.episode)).size).toBe(2);
  });

  it('does not give the number of one that was over before twice, though numbers were ahead of the clock', async () => {
    const bed = new Bed({ rules: [quick] });
    const both = { rules: { quick: [{ node: 'm2' }, m1] } };
    await bed.look(both);
    await bed.look({ rules: {} });
    await bed.restart(second);
    await bed.look({ rules: { quick: [m1] } });
    const numbers = bed.notices.filter(({ kind }) => kind === 'trigger').map(({ alert }) => alert.episode);
    expect([numbers.length, new Set(numbers).size]).toEqual([3, 3]);
  });

  it('tells a receiver that left and came back anew', async () => {
    const bed = new Bed({ rules: [quick] });
    const before = bed.receivers;
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    bed.receivers = [{ name: 'mail', heartbeat: false }];
    await bed.step({ kind: 'clusters', names: ['prod'] });
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > mail']);
    bed.receivers = before;
    await bed.step({ kind: 'clusters', names: ['prod'] });
    await bed.restart();
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    await bed.step({ kind: 'clusters', names: ['prod'] });
    expect(await bed.look({ rules: { quick: [m1] } })).toEqual([]);
  });

  it('closes what left the configuration', async () => {
    const bed = new Bed({ rules: [quick] });
    await bed.look({ rules: { quick: [m1] } });
    await bed.look({ rules: { quick: [m1] }, cluster: 'old' });
    await bed.restart();
    expect(await bed.step({ kind: 'clusters', names: ['prod'] })).toEqual(['resolve quick m1']);
    expect(bed.notices.at(-1)?.alert.labels.cluster_name).toBe('old');
    const off = new Bed({ rules: [quick], settings: { rules: { quick: settingsOf(quick, { enabled: false }) } } });
    off.state = bed.state;
    expect(await off.step({ kind: 'clusters', names: ['prod'] })).toEqual(['resolve quick m1']);
  });
});

describe('texts', () => {
  it('may be the configured ones, for a rule or for all', async () => {
    const rules = { quick: settingsOf(quick, { templates: { summary: '{{severity}}! {{summary}} ({{value}})' } }) };
    const templates = { description: 'See {{node}}.' };
    const bed = new Bed({ rules: [quick], settings: { rules, templates } });
    await bed.look({ rules: { quick: [m1] }, value: 3 });
    expect(bed.notices[0]?.alert.annotations).toMatchObject({
      summary: 'critical! quick on m1 of prod (3)',
      description: 'See m1.',
    });
    expect(bed.troubles).toEqual([]);
  });

  it('that fail are the plain ones, and that is said once', async () => {
    const bed = new Bed({ rules: [quick], settings: { templates: { summary: 'on {{host}}' } } });
    for (let round = 0; round < 3; round += 1) await bed.look({ rules: { quick: [m1] }, value: round });
    expect(bed.notices[0]?.alert.annotations.summary).toBe('quick on m1 of prod');
    expect(bed.troubles).toEqual(["quick: there is no value 'host'"]);
  });

  it('follow the facts', async () => {
    const rule = ruleOf('quick');
    const bed = new Bed({
      rules: [rule],
      settings: { routes: [{ ...everything, receivers: ['chat'], repeat: second }] },
    });
    await bed.look({ rules: { quick: [m1] }, value: 1 });
    await bed.look({ rules: { quick: [m1] }, value: 2 }, second);
    expect(bed.notices.map(({ alert }) => alert.annotations.description)).toEqual(['It is at 1.', 'It is at 2.']);
  });
});
