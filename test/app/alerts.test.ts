import { describe, expect, it } from 'vitest';
import { Alerts } from '../../src/app/alerts.ts';
import { digest } from '../../src/runtime/digest.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { everything, ruleOf, settingsOf, situationOf } from '../alert/alerting-bed.ts';
import { recordingLogger } from '../support/logger.ts';
import { linesOf } from '../support/readings.ts';
import { FakeDeliverer } from './fake-deliverer.ts';

const now = { wall: Date.UTC(2026, 8, 22, 4, 53, 20), mono: 1000 };
const quick = ruleOf('quick');
const chat = { name: 'chat', heartbeat: false, way: { kind: 'webhook', url: { file: 'chat' } } } as const;

function settings(more: { summary?: string } = {}) {
  return {
    alerts: {
      receivers: [chat],
      routes: [{ ...everything, receivers: ['chat'] }],
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
  const alerts = new Alerts({ log, store, digest, rules: [quick], deliverer });
  const wrong = { kind: 'situation', situation: situationOf({ rules: { quick: [{ node: 'm1' }] } }) } as const;
  const well = { kind: 'situation', situation: situationOf({ rules: {} }) } as const;
  return { alerts, deliverer, log, store, wrong, well };
}

describe('alerting in the application', () => {
  it('knows nothing and does nothing before it is told what to follow', () => {
    const { alerts, wrong, deliverer } = setUp();
    expect(alerts.step(wrong, now).changes).toEqual([]);
    expect([alerts.alerts(), alerts.silences(now), alerts.samples('prod')]).toEqual([[], [], []]);
    expect(deliverer.asked).toEqual([]);
  });

  it('reads what is owed before it begins to send, and only once', async () => {
    const { alerts, deliverer } = setUp();
    await alerts.follow(settings(), now);
    await alerts.follow(settings(), now);
    expect(deliverer.asked).toEqual(['restore', 'reconfigure chat', 'start', 'reconfigure chat']);
  });

  it('gives what has to be stored together, and lets it go when it is told to', async () => {
    const { alerts, deliverer, wrong, well } = setUp();
    await alerts.follow(settings(), now);
    deliverer.change = { table: 'lanes', put: { key: 'k' } };
    const outcome = alerts.step(wrong, now);
    expect(outcome.changes.map(({ table }) => table)).toEqual(['counters', 'episodes', 'lanes']);
    expect(outcome.news.map(({ status }) => status)).toEqual(['firing']);
    expect(deliverer.asked.at(-1)).toBe('plan 1');
    outcome.release();
    expect(deliverer.asked.at(-1)).toBe('release');
    expect(alerts.alerts().map(({ rule, phase }) => [rule, phase])).toEqual([['quick', 'firing']]);
    expect(linesOf(alerts.samples('prod'))[0]).toBe('graphwarden_alerts_firing{rule="quick",severity="warning"} 1');
    expect(alerts.step(wrong, now).changes).toEqual([]);
    expect(alerts.step(well, now).news.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('goes on from what was stored', async () => {
    const before = setUp();
    await before.alerts.follow(settings(), now);
    await before.store.commit(before.alerts.step(before.wrong, now).changes);
    const after = setUp(before.store);
    await after.alerts.follow(settings(), now);
    expect(after.alerts.step(after.wrong, now).news).toEqual([]);
    expect(after.alerts.step(after.well, now).news).toHaveLength(1);
  });

  it('closes what left the configuration', async () => {
    const { alerts, wrong } = setUp();
    await alerts.follow(settings(), now);
    alerts.step(wrong, now);
    const outcome = await alerts.follow({ ...settings(), clusters: ['test'] }, now);
    expect(outcome.news.map(({ status }) => status)).toEqual(['resolved']);
  });

  it('says which template failed', async () => {
    const { alerts, wrong, log } = setUp();
    await alerts.follow(settings({ summary: '{{nothing}}' }), now);
    alerts.step(wrong, now);
    alerts.step({ kind: 'clusters', names: [] }, now);
    alerts.step(wrong, now);
    expect(log.lines).toMatchObject([
      { level: 'warn', message: 'a template fails, the plain text is sent', fields: { rule: 'quick' } },
    ]);
  });
});
