import { describe, expect, it } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';

const schema = configSchema([], []);
const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://a' }] }];

describe('configSchema', () => {
  it('accepts only the given collectors', () => {
    expect(schema.parse({ clusters }).collectors).toEqual({});
    expect(schema.safeParse({ clusters, collectors: { health: {} } }).success).toBe(false);
  });

  it('omits optional keys that are not set', () => {
    expect(Object.keys(schema.parse({ clusters })).toSorted()).toEqual([
      'alerts',
      'clusters',
      'collectors',
      'custom',
      'guard',
      'limits',
      'listen',
      'log',
      'operators',
      'probes',
      'readers',
      'scope',
      'scrapers',
      'state',
      'stateDir',
      'telemetry',
      'tracker',
      'unreadyOnRejectedConfig',
      'web',
    ]);
  });

  it('keeps given values', () => {
    const given = { clusters, external_url: 'https://a/b/', web_config_file: 'w', operators: ['o'], state_dir: 's' };
    expect(schema.parse({ ...given, log: { level: 'warn' } })).toMatchObject({
      externalUrl: 'https://a/b',
      webConfigFile: 'w',
      operators: ['o'],
      stateDir: 's',
      log: { level: 'warn', format: 'auto' },
    });
  });

  it.each([
    { clusters: [] },
    { clusters, operators: [''] },
    { clusters, state_dir: '' },
    { clusters, web_config_file: '' },
    { clusters, scope: 'everything' },
    { clusters, log: { level: 'trace' } },
    { clusters, external_url: 'https://u:p@a' },
    { clusters, external_url: 'https://a/%zz' },
    { clusters, guard: { mode: 'on' } },
    { clusters, telemetry: { traces: { sample: 2 } } },
    {},
  ])('refuses %j', (given) => {
    expect(schema.safeParse(given).success).toBe(false);
  });
});
