import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { configFiles, helmRender, renderAll, rendering, template } from './chart.ts';

const nodes = (name: string) => [{ name: 'm1', url: `http://${name}:14240` }];
const clusters = ['prod', 'test'].map((name) => ({ name, nodes: nodes(name) }));
const when = { graph: 'sandbox', query: 'adhoc_*', age: '> 5m' };
const receivers = ['oncall', 'chat'].map((name) => ({ name, ntfy: { topic: name } }));
const everything = { receivers: ['oncall', 'chat'] };
const probe = { name: 'scan', graph: 'sandbox', installed_query: { query: 'ping' } };

function policies(...list: readonly object[]) {
  return { guard: { policies: list.map((policy, at) => ({ name: `p${at}`, when, clusters: ['prod'], ...policy })) } };
}

function routes(...list: readonly object[]) {
  return { alerts: { receivers, routes: list } };
}

/** Configurations that the program rejects, with the sentence of the chart. */
const rejected: readonly (readonly [what: string, config: object, sentence: RegExp])[] = [
  [
    'a cluster in a policy',
    policies({ clusters: ['prd'] }),
    /config\.guard\.policies: clusters of p0: clusters has no entry prd\. Correct the name; known: prod, test\./,
  ],
  ['a policy for several clusters without names', policies({ clusters: undefined }), /p0 has no clusters/],
  ['two policies of one name', policies({}, { name: 'p0' }), /two of them have the name p0/],
  [
    'a receiver in a policy',
    { ...policies({ notify: ['pager'] }), alerts: { receivers } },
    /notify of p0: config\.alerts\.receivers has no entry pager/,
  ],
  [
    'process lists for a policy that enforces',
    { guard: { mode: 'enforce', ...policies({ mode: 'enforce' }).guard }, collectors: { queries: { enabled: false } } },
    /p0 enforces, and collectors\.queries is disabled/,
  ],
  [
    'a receiver in a route',
    routes({ receivers: ['oncall', 'chat', 'pager'] }),
    /config\.alerts\.routes\[0\]: config\.alerts\.receivers has no entry pager/,
  ],
  ['a fallback', routes({ ...everything, fallback: 'pager' }), /no entry pager/],
  ['a receiver without a route', routes({ receivers: ['oncall'] }), /no route names the receiver chat/],
  [
    'a route behind one for everything',
    routes(everything, { matchers: ['severity="info"'], receivers: [] }, { receivers: [] }),
    /routes\[0\] matches every alert/,
  ],
  ['a route for everything', routes({ ...everything, matchers: ['severity="info"'] }), /the last route has matchers/],
  [
    'two receivers of one name',
    { alerts: { receivers: [...receivers, receivers[0]] } },
    /two of them have the name oncall/,
  ],
  ['a cluster in a probe', { probes: [{ ...probe, clusters: ['prd'] }] }, /config\.probes: clusters of scan: .* prd/],
];

/** Configurations that both accept. */
const accepted: readonly (readonly [what: string, config: object])[] = [
  ['known names', { ...policies({ notify: ['chat'] }), ...routes({ receivers: ['oncall'] }) }],
  ['a route that drops', routes({ matchers: ['severity="info"'], receivers: [] }, everything)],
  ['a route that continues', routes({ ...everything, continue: true }, everything)],
  [
    'a heartbeat without a route',
    { alerts: { receivers: [{ ...receivers[0], heartbeat: true }], routes: [{ receivers: [] }] } },
  ],
  ['a name from the environment', policies({ clusters: ['${CLUSTER}'] })],
  ['a probe of one cluster', { probes: [{ ...probe, clusters: ['test'] }] }],
];

function valuesOf(config: object) {
  return { clusters: clusters.map((one) => ({ ...one, anonymous: true })), config, web: { createUsers: false } };
}

/** What the program says about a configuration. */
function isAccepted(config: object): boolean {
  return loadConfig(stringify({ clusters, ...config }), 'graphwarden.yml', { CLUSTER: 'prod' }).ok;
}

describe.skipIf(helmRender === undefined)('a configuration that refers to an object', () => {
  beforeAll(() => renderAll([...rejected, ...accepted].map(([, config]) => valuesOf(config))));

  it.each(rejected)(
    'that is unknown or unusable is rejected by the chart as by the program: %s',
    (_, config, sentence) => {
      const { error } = template({ values: valuesOf(config) });
      expect(error.replaceAll('\n', ' ')).toMatch(sentence);
      expect(error.match(/^- /gm)).toHaveLength(1);
      expect(isAccepted(config)).toBe(false);
    },
  );

  it.each(accepted)('that exists is accepted by both: %s', (_, config) => {
    expect(template({ values: valuesOf(config) }).error).toBe('');
    expect(isAccepted(config)).toBe(true);
  });
});

const sidecarFile = z.looseObject({
  listen: z.string(),
  clusters: z.array(z.looseObject({ name: z.string() })),
  guard: z.looseObject({ policies: z.array(z.looseObject({ name: z.string() })) }).optional(),
});

describe.skipIf(helmRender === undefined)('the sidecars', () => {
  const values = {
    mode: 'sidecar',
    clusters: [{ name: 'production-us-east' }, { name: 'production-us-west' }],
    sidecar: {
      config: {
        guard: {
          policies: [
            { name: 'east', clusters: ['production-us-east'], when },
            { name: 'both', clusters: ['production-us-east', 'production-us-west'], when },
            { name: 'all', when },
          ],
        },
      },
    },
  };

  beforeAll(() => renderAll([values]));

  it('of clusters whose names begin alike have separate files, with the policies of their cluster', () => {
    const made = rendering({ values });
    const files = configFiles(made).flatMap((text) => sidecarFile.safeParse(parse(text)).data ?? []);
    const names = files.flatMap(({ clusters: [cluster], guard }) =>
      guard === undefined ? [] : [[cluster?.name, guard.policies.map(({ name }) => name)]],
    );
    expect(names).toEqual([
      ['production-us-east', ['east', 'both', 'all']],
      ['production-us-west', ['both', 'all']],
    ]);
    for (const name of ['production-us-east', 'production-us-west']) {
      expect(made.one('ConfigMap', `x-graphwarden-${name}-fragments`)).toBeDefined();
    }
  });

  it.each(['10.1.2.3', 'fd00::12'])('start with their files at the address %s', (address) => {
    const files = configFiles(rendering({ values })).filter((text) => text.includes('scope: node'));
    expect(files).toHaveLength(2);
    for (const text of files) {
      const loaded = loadConfig(text, '/etc/graphwarden/config/x.yml', { POD_NAME: 'graph-0', POD_IP: address });
      expect(loaded).toMatchObject({ ok: true, value: { listen: { host: address, port: 9916 } } });
    }
  });
});
