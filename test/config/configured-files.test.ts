import { expect, it } from 'vitest';
import { configuredFiles } from '../../src/config/configured-files.ts';

const text = `
web_config_file: web.yml
clusters:
  - name: prod
    read_auth: { token_file: "\${FOLDER}/token" }
    tls: { ca_file: /etc/ca.pem, insecure_skip_verify: false }
`;

it('the files of a configuration are found at any depth, relative to its folder', () => {
  const files = configuredFiles(text, 'etc/a.yml', { FOLDER: 'secrets' });
  expect(files.map(({ path }) => path)).toEqual(['etc/web.yml', 'etc/secrets/token', '/etc/ca.pem']);
  expect(files[1]?.problem('is missing', 'create it')).toEqual({
    file: 'etc/a.yml',
    line: 5,
    column: 30,
    path: 'clusters[0].read_auth.token_file',
    message: 'is missing',
    hint: 'create it',
  });
});

it('a text that is no YAML names no files', () => {
  expect(configuredFiles('a: [', 'a.yml', {})).toEqual([]);
});
