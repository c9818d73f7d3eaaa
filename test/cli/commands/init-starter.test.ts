import { describe, expect, it } from 'vitest';
import { starterConfig } from '../../../src/cli/commands/init.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { formatProblems } from '../../../src/config/problems.ts';

function complaints(text: string): string {
  const loaded = loadConfig(text, 'graphwarden.yml', {});
  return loaded.ok ? '' : formatProblems(loaded.error);
}

describe('the starter', () => {
  it('loads without changes', () => {
    expect(complaints(starterConfig())).toBe('');
  });

  it('listens only on the loopback address by default', () => {
    const loaded = loadConfig(starterConfig(), 'graphwarden.yml', {});
    expect(loaded.ok && loaded.value.listen.host).toBe('127.0.0.1');
  });

  it.each([
    ['web_config_file', '# web_config_file: web.yml'],
    ['labels', '# labels: { env: prod }'],
    ['a second node', '# - { name: m2, url: "http://10.0.0.2:14240" }'],
    ['a bearer token', '# read_auth: { bearer_token_file: /run/secrets/token }'],
    ['a user', '# read_auth: { basic: { username: monitor, password_file: /run/secrets/password } }'],
    ['a secret', '# read_auth: { secret_file: /run/secrets/secret }'],
    ['tls', '# tls: { ca_file: ca.pem }'],
  ])('loads when %s is uncommented', (_name, line) => {
    const text = starterConfig();
    expect(text).toContain(line);
    expect(complaints(text.replace(line, line.slice(2)))).toBe('');
  });

  it.each(['collectors', 'alerts'])('loads when the %s are uncommented', (section) => {
    const [head, tail = ''] = starterConfig().split(`# ${section}:`);
    const [block = '', ...rest] = tail.split('\n\n');
    const uncommented = `${section}:${block}`.replaceAll(/^# /gm, '');
    const text = [`${head}${uncommented}`, ...rest].join('\n\n');
    expect(text).toMatch(new RegExp(`^${section}:$`, 'm'));
    expect(complaints(text)).toBe('');
  });
});
