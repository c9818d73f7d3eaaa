import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { starterConfig } from '../../src/cli/commands/init.ts';
import { configPath, withConfig } from '../../src/cli/config-option.ts';
import { testPorts } from '../support/cli-ports.ts';

const given = { flags: { config: 'a.yml' }, arguments: [] };
const nothing = { flags: {}, arguments: [] };

describe('path of the configuration', () => {
  it('is the option, else the environment variable', () => {
    const environment = { GRAPHWARDEN_CONFIG: 'b.yml' };
    expect(configPath(given, { environment })).toBe('a.yml');
    expect(configPath(nothing, { environment })).toBe('b.yml');
    expect(configPath(nothing, { environment: {} })).toBe('');
  });
});

describe('a command with a configuration', () => {
  it('runs with the parsed file', async () => {
    const ports = testPorts();
    ports.disk.set('a.yml', starterConfig());
    expect(await withConfig(given, ports, async ({ clusters }) => (clusters[0]?.name === 'prod' ? 0 : 1))).toBe(0);
  });

  it('prints the problems of an invalid file and exits with 2', async () => {
    const ports = testPorts();
    ports.disk.set('a.yml', 'clusters: []');
    expect(await withConfig(given, ports, () => Promise.reject(new Error('not run')))).toBe(2);
    expect(ports.stderr.text()).toContain('a.yml:1:11: clusters');
  });

  it('fails as a usage error without a file', async () => {
    await expect(withConfig(nothing, testPorts(), async () => 0)).rejects.toThrow(UsageError);
  });
});
