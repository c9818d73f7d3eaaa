import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { LoadedConfig } from '../../src/config/config.ts';
import { copyConfig, loadKeptConfig } from '../../src/config/kept-config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { environmentReference } from '../../src/graphdb/settings-fields.ts';
import { corpus, environment } from './corpus.ts';

const file = '/etc/graphwarden/graphwarden.yml';

function loaded(text: string): LoadedConfig {
  const result = loadConfig(text, file, environment);
  if (!result.ok) throw new Error(formatProblems(result.error));
  return result.value;
}

/** The copy of an accepted file, and what is loaded from it. */
function copied(text: string) {
  const copy = copyConfig(text, file, loaded(text));
  const kept = loadKeptConfig(copy, file, environment);
  if (!kept.ok) throw new Error(formatProblems(kept.error));
  return { copy, ...kept.value };
}

const nodes = [{ name: 'm1', url: 'https://graph.example.org' }];
const missing = { file: '/nonexistent/inline-secret-is-not-kept' };

/** A receiver of each form of secrets, with inline secrets or with references. */
function settings(secret: (name: string) => string) {
  const basic_auth = { username: 'monitor', password: secret('basic') };
  const webhook = {
    url: `https://hooks.example.org/${secret('url')}/`,
    http_config: {
      basic_auth,
      http_headers: { 'X-Key': { values: ['plain'], secrets: [secret('header')], files: ['key'] } },
    },
  };
  return {
    clusters: [
      { name: 'a', nodes, read_auth: { basic: { username: 'reader', password: secret('password') } } },
      { name: 'b', nodes, read_auth: { bearer_token: secret('bearer') }, abort_auth: { secret: secret('exchange') } },
    ],
    alerts: {
      receivers: [
        { name: 'hook', webhook },
        { name: 'pager', pagerduty: { routing_key: secret('pager') } },
      ],
    },
  };
}

describe('copy of a configuration', () => {
  it.each(corpus('corpus/good'))('of $name loads as the configuration without its inline secrets', ({ text }) => {
    const { config, omitted } = copied(text);
    const accepted = loaded(text);
    if (omitted.length === 0) expect({ ...config, warnings: [] }).toEqual({ ...accepted, warnings: [] });
    else expect({ ...config, clusters: [], alerts: {} }).toEqual({ ...accepted, clusters: [], alerts: {} });
  });

  it('contains no inline secret, and names the keys that need one', () => {
    const { copy, config, omitted } = copied(stringify(settings((name) => `canary-${name}`)));
    expect(copy).not.toContain('canary');
    expect(omitted).toEqual([
      'clusters[0].read_auth.basic.password',
      'clusters[1].read_auth.bearer_token',
      'clusters[1].abort_auth.secret',
      'alerts.receivers[0].webhook.url',
      'alerts.receivers[0].webhook.http_config.basic_auth.password',
      'alerts.receivers[0].webhook.http_config.http_headers.X-Key.secrets',
      'alerts.receivers[1].pagerduty.routing_key',
    ]);
    expect(config.clusters).toMatchObject([
      { readAuth: { kind: 'basic', username: 'reader', password: missing } },
      { readAuth: { kind: 'bearer', token: missing }, abortAuth: { kind: 'secret', secret: missing } },
    ]);
    expect(config.alerts.receivers[0]?.secrets).toMatchObject({ url: missing });
  });

  it('keeps references to variables and files', () => {
    const text = stringify(settings(() => environmentReference('GRAPH_TOKEN')));
    const { copy, config, omitted } = copied(text);
    expect(omitted).toEqual([]);
    expect(copy).toContain(environmentReference('GRAPH_TOKEN'));
    expect(copy).not.toContain(environment.GRAPH_TOKEN);
    expect(config).toEqual({ ...loaded(text), warnings: expect.anything() });
  });

  it('keeps a text that is equal to a secret but is not one', () => {
    const read_auth = { basic: { username: 'monitor', password: 'monitor' } };
    const { config, omitted } = copied(stringify({ clusters: [{ name: 'a', nodes, read_auth }] }));
    expect(omitted).toEqual(['clusters[0].read_auth.basic.password']);
    expect(config.clusters).toMatchObject([{ readAuth: { username: 'monitor', password: missing } }]);
  });

  it('is refused for another file, and if it is damaged', () => {
    const copy = copyConfig(
      stringify({ clusters: [{ name: 'a', nodes }] }),
      file,
      loaded(stringify({ clusters: [{ name: 'a', nodes }] })),
    );
    expect(loadKeptConfig(copy, 'other.yml', environment)).toMatchObject({ ok: false });
    for (const damaged of ['', '{}', copy.slice(0, copy.length / 2), 'null']) {
      expect(loadKeptConfig(damaged, file, environment)).toMatchObject({ ok: false });
    }
  });
});
