import { beforeAll, describe, expect, it } from 'vitest';
import { helm, renderAll, template } from './chart.ts';

const enforcing = { guard: { mode: 'enforce' } };
const postgres = { state: { postgres: { existingSecret: 'pg', hosts: ['pg'] } } };
const refused: readonly (readonly [what: string, values: unknown, advice: RegExp])[] = [
  [
    'two replicas',
    { replicaCount: 2 },
    /a state in a volume has one daemon.*Set it to 1.*state\.postgres\.existingSecret/,
  ],
  [
    'PostgreSQL without a server',
    { state: { postgres: { existingSecret: 'pg' } } },
    /state\.postgres\.hosts: there is no/,
  ],
  ['PostgreSQL without its Secret', { state: { postgres: { hosts: ['pg'] } } }, /PostgreSQL would not be used/],
  [
    'PostgreSQL that the network policy blocks',
    { ...postgres, clusters: [{ name: 'a', podLabels: { app: 'a' } }], networkPolicy: { restrictEgress: true } },
    /state\.postgres\.podLabels: .* would block/,
  ],
  [
    'PostgreSQL and a claim',
    { ...postgres, persistence: { existingClaim: 'old' } },
    /with state\.postgres there is no volume.*state migrate/,
  ],
  [
    'keys of no Secret for PostgreSQL',
    { state: { postgres: { ...postgres.state.postgres, tls: { caKey: 'root.crt' } } } },
    /Name it in state\.postgres\.tls\.existingSecret/,
  ],
  [
    'half of a client certificate for PostgreSQL',
    { state: { postgres: { ...postgres.state.postgres, tls: { existingSecret: 'tls', certKey: 'tls.crt' } } } },
    /needs certKey and keyKey/,
  ],
  ['sidecars with replicas', { mode: 'sidecar', replicaCount: 3 }, /Remove replicaCount/],
  ['replicas of a sidecar', { mode: 'sidecar', sidecar: { replicas: 2 } }, /sidecar\.replicas.*scale the database/],
  ['replicas of a sidecar that is not there', { sidecar: { replicas: 2 } }, /sidecar\.replicas.*Remove it/],
  ['autoscaling', { autoscaling: { enabled: true } }, /Set it to false; verticalPodAutoscaler/],
  [
    'a configuration given twice',
    { existingConfigMap: { name: 'mine' }, config: { log: { level: 'debug' } } },
    /given twice\. Remove config and clusters, or remove existingConfigMap/,
  ],
  ['clusters given twice', { existingConfigMap: { name: 'mine' }, clusters: [{ name: 'a' }] }, /given twice/],
  [
    'a file of yours for sidecars',
    { mode: 'sidecar', existingConfigMap: { name: 'mine' } },
    /use clusters, config and/,
  ],
  ['no clusters', { clusters: [] }, /Name at least one cluster/],
  ['enforcing without a credential', { config: enforcing }, /Name a Secret with the credential for aborts/],
  [
    'enforcing with a credential for reading alone',
    { config: enforcing, clusters: [{ name: 'prod', readAuth: { existingSecret: 'read' } }] },
    /prod has no abortAuth\.existingSecret.*set guard\.mode to observe/,
  ],
  [
    'a credential for aborts that is sent unencrypted to discovered nodes',
    { clusters: [{ name: 'prod', abortAuth: { existingSecret: 'abort' } }] },
    /prod sends abortAuth over http.*options\.allow_plain_http: true/,
  ],
  [
    'a credential for aborts that is sent unencrypted to one node',
    {
      clusters: [
        {
          name: 'prod',
          abortAuth: { existingSecret: 'abort' },
          nodes: [
            { name: 'm1', url: 'http://localhost:1' },
            { name: 'm2', url: 'http://127.0.0.1.example.org' },
          ],
        },
      ],
    },
    /prod sends abortAuth over http/,
  ],
  ['sidecars that enforce without one', { mode: 'sidecar', sidecar: { config: enforcing } }, /has no abortAuth/],
  [
    'a guard in an instance without process lists',
    { mode: 'sidecar', config: enforcing },
    /Move it to sidecar\.config\.guard/,
  ],
  [
    'a budget that a sidecar cannot keep',
    { mode: 'sidecar', sidecar: { config: { guard: { budgets: { per_cluster: { max: 1, within: '1h' } } } } } },
    /per_cluster cannot be kept/,
  ],
  [
    'a user without a name',
    { clusters: [{ name: 'a', readAuth: { existingSecret: 's', kind: 'basic' } }] },
    /Name the user/,
  ],
  [
    'nodes twice',
    { clusters: [{ name: 'a', nodes: [{ name: 'm', url: 'http://m' }], service: { name: 's' } }] },
    /Keep the service/,
  ],
  [
    'sidecars that ask another port than that of their nodes',
    { mode: 'sidecar', clusters: [{ name: 'a', nodes: [{ name: 'm', url: 'http://m:8443' }] }] },
    /would request http:\/\/127\.0\.0\.1:14240.*Set service\.scheme and service\.port/,
  ],
  [
    'sidecars that speak in the open where their nodes do not',
    { mode: 'sidecar', clusters: [{ name: 'a', nodes: [{ name: 'm', url: 'https://m:14240' }] }] },
    /Set service\.scheme/,
  ],
  [
    'a certificate for 127.0.0.1',
    { mode: 'sidecar', clusters: [{ name: 'a', service: { scheme: 'https' } }] },
    /Set tls\.serverName/,
  ],
  [
    'a file of yours that leads nowhere',
    { existingConfigMap: { name: 'mine' }, networkPolicy: { restrictEgress: true } },
    /Allow them in networkPolicy\.extraEgress/,
  ],
  ['clusters that look alike', { clusters: [{ name: 'a_b' }, { name: 'a-b' }] }, /Give them names that differ/],
  [
    'no way to the database',
    { networkPolicy: { restrictEgress: true } },
    /Set its podLabels, or set restrictEgress to false/,
  ],
  ['two scrapes', { serviceMonitor: { enabled: true }, podMonitor: { enabled: true } }, /scraped twice/],
  [
    'a pod monitor without pod labels of the sidecars',
    { mode: 'sidecar', podMonitor: { enabled: true } },
    /Set clusters\[\]\.podLabels to the labels of its pods/,
  ],
  ['a route to nowhere', { route: { enabled: true } }, /Name the Gateway/],
  ['dashboards twice', { dashboards: { enabled: true, grafanaOperator: { enabled: true } } }, /there twice/],
  ['a claim for nothing', { persistence: { enabled: false, existingClaim: 'x' } }, /Set persistence\.enabled to true/],
  [
    'a state that has the pod evicted',
    { persistence: { enabled: false }, config: { state: { retention: { size: '2GiB' } } } },
    /2GiB is more than half of that\. Set persistence\.enabled to true/,
  ],
  ['an alert that there is not', { prometheusRule: { disabled: ['Nope'] } }, /there is no alert Nope/],
  ['a port of the database', { mode: 'sidecar', sidecar: { port: 9000 } }, /Choose another, such as 9916/],
  [
    'a change of class',
    { mode: 'sidecar', sidecar: { resources: { requests: { cpu: '100m' } } } },
    /no longer be Guaranteed\. Let requests\.cpu equal limits\.cpu/,
  ],
  ['a change from nothing', { mode: 'sidecar', sidecar: { databaseQos: 'BestEffort' } }, /no longer be BestEffort/],
];

const stored = { 'ephemeral-storage': '4Gi' };

function sized(size: string) {
  return { state: { retention: { size } } };
}

const sensible: readonly (readonly [string, object])[] = [
  ['a size that fits', { persistence: { enabled: false }, config: sized('128MiB') }],
  ['one that fits the limit', { persistence: { enabled: false }, config: sized('2GB'), resources: { limits: stored } }],
  ['one without a limit', { persistence: { enabled: false }, config: sized('2GiB'), resources: { limits: null } }],
  ['one in a claim', { config: sized('2GiB') }],
];

const unknown: readonly (readonly [string, object])[] = [
  ['an unknown value', { replicas: 2 }],
  ['a misspelt key deep inside', { clusters: [{ name: 'a', redAuth: {} }] }],
  ['a key that the program does not know', { config: { colectors: {} } }],
  ['a duration without a unit', { config: { collectors: { health: { interval: '5' } } } }],
  ["a name behind the chart's back", { clusters: [{ name: 'a', options: { name: 'b' } }] }],
  ['nodes behind it', { clusters: [{ name: 'a', options: { nodes: [{ name: 'm', url: 'http://m' }] } }] }],
  ['a secret there', { clusters: [{ name: 'a', options: { read_auth: { bearer_token: 'x' } } }] }],
  ['a word that is none of the choices', { mode: 'daemonset' }],
  ['a key of the whole cluster for a sidecar', { mode: 'sidecar', sidecar: { config: { alerts: {} } } }],
];

const threeWrongs = { replicaCount: 2, autoscaling: { enabled: true }, clusters: [] };

describe.skipIf(helm === undefined)('invalid combinations of values', () => {
  beforeAll(() => {
    renderAll([...[...refused, ...sensible, ...unknown].map(([, values]) => values), threeWrongs]);
  });

  it.each(refused)('are rejected with a remedy: %s', (_, values, advice) => {
    const { text, error } = template({ values });
    expect(error.replaceAll('\n', ' ')).toMatch(advice);
    expect(text).toBe('');
    expect(error).toContain('Invalid values');
  });

  it.each(sensible)('exclude valid values: %s', (_, values) => {
    expect(template({ values }).error).toBe('');
  });

  it('are reported in one error', () => {
    const { error } = template({ values: threeWrongs });
    expect(error.match(/^- /gm)).toHaveLength(3);
  });

  it('are rejected if Kubernetes is too old for a forced setting', () => {
    const { error } = template({ values: { mode: 'sidecar', sidecar: { kind: 'native' } }, kubernetes: '1.28.0' });
    expect(error).toMatch(/knows no native sidecars.*Set it to container or auto/);
  });

  it.each(unknown)('are rejected by the schema: %s', (_, values) => {
    expect(template({ values }).error).toContain("don't meet the specifications of the schema");
  });
});
