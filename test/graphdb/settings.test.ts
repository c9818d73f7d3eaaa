import { describe, expect, it } from 'vitest';
import { clusterSection } from '../../src/graphdb/settings.ts';

const nodes = [{ name: 'm1', url: 'http://a:1' }];

function complaints(given: object): readonly string[] {
  const parsed = clusterSection.safeParse({ name: 'prod', nodes, ...given });
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a cluster', () => {
  it('requires only a name: other keys have defaults or are checked across the file', () => {
    expect(clusterSection.parse({ name: 'prod' })).toEqual({
      name: 'prod',
      labels: {},
      nodes: [],
      readAuth: { kind: 'none' },
      abortAuth: { kind: 'none' },
      informantAuth: { kind: 'none' },
      graphs: 'auto',
      serverVersion: 'auto',
      metricPrefix: 'auto',
    });
  });

  it.each(['prod', 'a', '1', 'prod-eu.1_x', 'x'.repeat(63)])('may be called %s', (name) => {
    expect(complaints({ name })).toEqual([]);
  });

  it.each(['', ' prod', 'a/b', 'a?b', '-a', 'é', 'x'.repeat(64), 'a\nb'])('may not be called %j', (name) => {
    expect(complaints({ name })).toEqual([
      'name: must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
    ]);
  });

  it.each(['3.9', '4.1', '4.1.0', '10.12', 'auto'])('may be of version %s', (version) => {
    expect(clusterSection.parse({ name: 'p', server_version: version }).serverVersion).toBe(version);
  });

  it.each(['4', 'v4.1', '4.1-rc', 'latest', ''])('may not be of version %j', (version) => {
    expect(complaints({ server_version: version })).toEqual([
      'server_version: must be auto or a version such as "4.1"',
    ]);
  });

  it.each(['svc_', 'tigergraph_', 'a:b_', 'auto'])('may have the prefix %s', (prefix) => {
    expect(clusterSection.parse({ name: 'p', metric_prefix: prefix }).metricPrefix).toBe(prefix);
  });

  it.each(['svc', '1_', 'a-b_', ''])('may not have the prefix %j', (prefix) => {
    expect(complaints({ metric_prefix: prefix })).toHaveLength(1);
  });

  it.each([[['Social']], [['_a', 'B2']]])('may be limited to the graphs %j', (graphs) => {
    expect(clusterSection.parse({ name: 'p', graphs }).graphs).toEqual(graphs);
  });

  it.each([[[]], [['1st']], [['a/b']], ['all'], [[1]]])('may not be limited to %j', (graphs) => {
    expect(complaints({ graphs })).toHaveLength(1);
  });
});

describe('its labels', () => {
  it.each([{ env: 'prod' }, { _a: '' }, { A9: 'any text, "quoted"\n' }])('may be %j', (labels) => {
    expect(clusterSection.parse({ name: 'p', labels }).labels).toEqual(labels);
  });

  it.each([{ 'a-b': 'x' }, { '9a': 'x' }, { '': 'x' }, { env: 1 }, { env: null }])('may not be %j', (labels) => {
    expect(complaints({ labels })).toHaveLength(1);
  });
});

describe('its discovery', () => {
  it.each([
    [{ srv: 's' }, { kind: 'srv', name: 's', refreshInterval: 30_000, scheme: 'http' }],
    [
      { srv: 's', refresh_interval: '5s', scheme: 'https' },
      { kind: 'srv', name: 's', refreshInterval: 5_000, scheme: 'https' },
    ],
    [
      { dns: 'd', port: 14240 },
      { kind: 'dns', name: 'd', port: 14240, refreshInterval: 30_000, scheme: 'http' },
    ],
  ])('may be %j', (given, expected) => {
    expect(clusterSection.parse({ name: 'p', discover: given }).discover).toEqual(expected);
  });

  it.each([{}, { srv: 's', dns: 'd', port: 1 }, { srv: 's', port: 1 }, { dns: 'd' }, { port: 1 }])(
    'may not be %j',
    (discover) => {
      expect(complaints({ discover })).toEqual(['discover: needs either srv alone, or dns with port']);
    },
  );

  it.each([{ srv: '' }, { dns: 'd', port: 0 }, { dns: 'd', port: 65_536 }, { srv: 's', refresh_interval: '0s' }])(
    'may not have %j',
    (discover) => {
      expect(complaints({ discover })).toHaveLength(1);
    },
  );
});

describe('its TLS', () => {
  it('maps every key to its field', () => {
    const tls = { ca_file: 'a', cert_file: 'c', key_file: 'k', server_name: 's', insecure_skip_verify: true };
    expect(clusterSection.parse({ name: 'p', tls }).tls).toEqual({
      caFile: 'a',
      certFile: 'c',
      keyFile: 'k',
      serverName: 's',
      insecureSkipVerify: true,
    });
    expect(clusterSection.parse({ name: 'p', tls: {} }).tls).toEqual({ insecureSkipVerify: false });
  });

  it.each([{ cert_file: 'c' }, { key_file: 'k' }])('requires certificate and key together, not %j', (tls) => {
    expect(complaints({ tls })).toEqual(['tls: needs cert_file and key_file together']);
  });
});

describe('the statements of a cluster', () => {
  it('are names and request ids', () => {
    const statements = { nightly_export: '00000000001.1234' };
    expect(clusterSection.parse({ name: 'p', statements }).statements).toEqual(statements);
    expect(clusterSection.parse({ name: 'p' })).not.toHaveProperty('statements');
  });

  it.each([{ a: '' }, { a: '../x' }, { a: '..' }, { a: 'x y' }, { '': '1' }, { '"a"': '1' }, { a: 1 }])(
    'are rejected: %j',
    (statements) => {
      expect(complaints({ statements })).toHaveLength(1);
    },
  );

  it('may be in a file', () => {
    expect(clusterSection.parse({ name: 'p', statements_file: 's.txt' }).statementsFile).toBe('s.txt');
    expect(complaints({ statements_file: '' })).toHaveLength(1);
  });

  it('are at most a hundred', () => {
    const some = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, '1']));
    expect(complaints({ statements: some })).toEqual([]);
    expect(complaints({ statements: { ...some, more: '1' } })).toHaveLength(1);
  });
});
