import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { settingsFor } from '../../../../campaigns/crash/guard/settings.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { effectiveMode } from '../../../../src/guard/policy.ts';

it('guard crash settings › has an enforcing and an observing policy, and the given budgets', () => {
  const nodes = [{ name: 'm1', url: 'http://127.0.0.1:1', instance: 'RESTPP_1_1' }];
  const limits = { perNode: 1, perCluster: 3, within: 5000, pick: 'newest' } as const;
  const loaded = loadConfig(stringify(settingsFor({ nodes, stateDir: '/s' }, limits)), 'test.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const { guard } = loaded.value;
  expect(guard.policies.map((policy) => [policy.name, effectiveMode(guard, policy)])).toEqual([
    ['onlooker', 'observe'],
    ['runaway', 'enforce'],
  ]);
  expect(guard.budgets).toEqual({ perNode: { max: 1, within: 5000 }, perCluster: { max: 3, within: 5000 } });
  expect(guard.policies[1]?.victims.pick).toBe('newest');
});
