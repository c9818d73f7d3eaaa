import { describe, expect, it } from 'vitest';
import { AlertEngine } from '../../../src/app/incidents/alert-engine.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { catchAllRoute, ruleOf, settingsOf, situationOf } from '../../alert/alerting-testbed.ts';
import { recordingLogger } from '../../support/logger.ts';
import { sampleLines } from '../../support/poll-results.ts';
import { FakeDeliverer } from '../fake-deliverer.ts';

const now = { wall: Date.UTC(2026, 8, 22, 4, 53, 20), mono: 1000 };
const quick = ruleOf('quick');
const chat = {
  name: 'chat',
  heartbeat: false,
  kind: 'webhook',
  options: {},
  secrets: { url: { file: 'chat' } },
} as const;

function settings(more: { summary?: string } = {}) {
  return {
    alerts: {
      receivers: [chat],
      routes: [{ ...catchAllRoute, receivers: ['chat'] }],
      rules: { quick: settingsOf(quick) },
      maintenance: [],
      templates: more,
    },
    clusters: ['prod'],
  };
}

function setUp(store = memoryStore()) {
  const deliverer = new FakeDeliverer();
  const log = recordingLogger();
  const alerts = new AlertEngine({ log, store, digest, rules: [quick], deliverer });
  const wrong = { kind: 'situation', situation: situationOf({ rules: { quick: [{ node: 'm1' }] } }) } as const;
  const well = { kind: 'situation', situation: situationOf({ rules: {} }) } as const;
  return { alerts, deliverer, log, store, wrong, well };
}

describe('alerting in the application', () => {
  it('returns no changes before it is configured', () => {
    const { alerts, wrong, deliverer } = setUp();
    expect(alerts.step(wrong, now).changes).toEqual([]);
    expect([alerts.alerts(), alerts.silences(now), alerts.samples('prod', now)]).toEqual([[], [], []]);
    expect(deliverer.calls).toEqual([]);
  });

  it('restores pending notifications once, before it sends', async () => {
    const { alerts, deliverer } = setUp();
    await alerts.configure(settings(), now);
    await alerts.configure(settings(), now);
    expect(deliverer.calls).toEqual(['restore', 'reconfigure chat', 'start', 'reconfigure chat']);
  });

  it('gives the deliverer the destinations of firing alerts according to the current routes', async () => {
    const { alerts, deliverer, wrong } = setUp();
    await alerts.configure(settings(), now);
    expect(deliverer.destinations).toEqual(new Map());
    alerts.step(wrong, now);
    const { alerts: before, clusters } = settings();
    const routes = [{ ...catchAllRoute, receivers: ['chat'], fallback: 'mail' }];
    await alerts.configure({ alerts: { ...before, routes }, clusters }, now);
    expect([...(deliverer.destinations?.values() ?? [])]).toMatchObject([[{ receiver: 'chat', fallback: 'mail' }]]);
  });

  it('returns changes to store together, and sends notifications only after release', async () => {
    const { alerts, deliverer, wrong, well } = setUp();
    await alerts.configure(settings(), now);
    deliverer.change = { table: 'lanes', put: { key: 'k' } };
    const outcome = alerts.step(wrong, now);
    expect(outcome.changes.map(({ table }) => table)).toEqual(['counters', 'episodes', 'lanes']);
    expect(outcome.changedAlerts.map(({ status }) => status)).toEqual(['firing']);
    expect(deliverer.calls.at(-1)).toBe('plan 1');
    outcome.release();
    expect(deliverer.calls.at(-1)).toBe('release');
    expect(alerts.alerts().map(({ rule, phase }) => [rule, phase])).toEqual([['quick', 'firing']]);
    expect(sampleLines(alerts.samples('prod', now))[0]).toBe(
      'graphwarden_alerts_firing{rule="quick",severity="warning"} 1',
    );
    expect(alerts.step(wrong, now).changes).toEqual([]);
    expect(alerts.step(well, now).changedAlerts.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('continues from the stored state', async () => {
    const before = setUp();
    await before.alerts.configure(settings(), now);
    await before.store.commit(before.alerts.step(before.wrong, now).changes);
    const after = setUp(before.store);
    await after.alerts.configure(settings(), now);
    expect(after.alerts.step(after.wrong, now).changedAlerts).toEqual([]);
    expect(after.alerts.step(after.well, now).changedAlerts).toHaveLength(1);
  });

  it.each([
    ['whose routes do not match it', { routes: [] }, ['warn: alert sent to no receiver']],
    [
      'whose route has no receivers',
      { routes: [{ ...catchAllRoute, receivers: [] }] },
      ['info: alert sent to no receiver'],
    ],
    [
      'if none is configured',
      { receivers: [], routes: [] },
      ['warn: no receivers configured, no notifications are sent'],
    ],
  ])('reports an incident that is sent to no receiver, %s', async (_, more, expected) => {
    const { alerts, wrong, log } = setUp();
    const { alerts: given, ...rest } = settings();
    for (let reload = 0; reload < 2; reload += 1) {
      await alerts.configure({ ...rest, alerts: { ...given, ...more } }, now);
      alerts.step(wrong, now);
    }
    const logged = log.lines.map(({ level, message }) => `${level}: ${message}`);
    expect(logged.filter((line) => /no receiver/.test(line))).toEqual(expected);
    expect(alerts.alerts()).toMatchObject([{ rule: 'quick', unrouted: true }]);
    expect(sampleLines(alerts.samples('prod', now))).toContain('graphwarden_alerts_unrouted 1');
  });

  it('resolves incidents of removed clusters', async () => {
    const { alerts, wrong } = setUp();
    await alerts.configure(settings(), now);
    alerts.step(wrong, now);
    const outcome = await alerts.configure({ ...settings(), clusters: ['test'] }, now);
    expect(outcome.changedAlerts.map(({ status }) => status)).toEqual(['resolved']);
  });
});
