import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { renamedKeys, renamedTo } from '../../src/config/renamed-keys.ts';
import { corpus } from './corpus.ts';

const nodes = [{ name: 'm1', url: 'http://a:1' }];

/** A configuration in which a key of each list and mapping on the way is there, and the unknown one in it. */
const misnamed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'clusters.*.discover.every': { clusters: [{ name: 'c', discover: { srv: 'a.test', every: '30s' } }] },
  'collectors.*.every': { collectors: { health: { every: '5s' } } },
  'collectors.*.cron': { collectors: { consistency: { cron: '0 3 * * SUN' } } },
  'tracker.hold': { tracker: { hold: '0s' } },
  'alerts.routes.*.match': { alerts: { routes: [{ match: {}, receivers: ['a'] }] } },
  'alerts.routes.*.repeat': { alerts: { routes: [{ repeat: '4h', receivers: ['a'] }] } },
  'alerts.maintenance.*.match': { alerts: { maintenance: [{ name: 'm', from: '02:00', to: '04:00', match: {} }] } },
  'alerts.rules.*.hold': { alerts: { rules: { check_failed: { hold: '0s' } } } },
  'alerts.rules.*.keep_firing': { alerts: { rules: { check_failed: { keep_firing: '1m' } } } },
  'alerts.rules.delay_queue_pressure.waiting': ruleWith('delay_queue_pressure', { waiting: 15 }),
  'alerts.rules.endpoint_timeouts.least_requests': ruleWith('endpoint_timeouts', { least_requests: 20 }),
  'alerts.rules.graph_shrunk.least_vertices': ruleWith('graph_shrunk', { least_vertices: 1000 }),
  'alerts.rules.loading_rejects_lines.least_lines': ruleWith('loading_rejects_lines', { least_lines: 100 }),
  'alerts.rules.memory_near_abort.least_total': ruleWith('memory_near_abort', { least_total: '30GiB' }),
  'alerts.rules.optimizer_statistics_drifted.least_count': ruleWith('optimizer_statistics_drifted', {
    least_count: 10_000,
  }),
  'alerts.rules.service_not_online.passing_after': ruleWith('service_not_online', { passing_after: '10m' }),
  'guard.policies.*.confirm.sightings': {
    guard: { policies: [{ name: 'p', when: { age: '> 1h' }, confirm: JSON.parse('{"sightings":2}') }] },
  },
  tracing: { tracing: { queries: true } },
};

function ruleWith(rule: string, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { alerts: { rules: { [rule]: settings } } };
}

function hintsOf(config: Readonly<Record<string, unknown>>): readonly (string | undefined)[] {
  const loaded = loadConfig(JSON.stringify({ clusters: [{ name: 'c', nodes }], ...config }), 'g.yml', {});
  return loaded.ok ? [] : loaded.error.map(({ hint }) => hint);
}

describe('renamed keys', () => {
  it('are all tried', () => {
    expect(Object.keys(misnamed).toSorted()).toEqual(Object.keys(renamedKeys).toSorted());
  });

  it.each(Object.entries(renamedKeys))('name the new key: %s is %s', (path, name) => {
    expect(hintsOf(misnamed[path] ?? {})).toContain(`did you mean \`${name}\`?`);
  });

  it('are all named at once in a whole file', () => {
    const file = corpus('corpus/bad').find((one) => one.name === 'renamed-keys.yml') ?? expect.fail();
    const loaded = loadConfig(file.text, file.name, {});
    const problems = loaded.ok ? [] : loaded.error;
    const hints = new Set(problems.map(({ hint }) => hint));
    expect(hints).toEqual(new Set(Object.values(renamedKeys).map((name) => `did you mean \`${name}\`?`)));
    expect(problems.filter(({ message }) => !message.startsWith('unknown key'))).toEqual([]);
  });

  it.each([
    [['collectors', 'health', 'every'], 'interval'],
    [['clusters', 3, 'discover', 'every'], 'refresh_interval'],
    [['collectors', 'every'], undefined],
    [['tracker', 'every'], undefined],
    [[], undefined],
  ])('of %j is %s', (path, name) => {
    expect(renamedTo(path)).toBe(name);
  });
});
