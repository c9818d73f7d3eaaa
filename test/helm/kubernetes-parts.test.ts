import { beforeAll, describe, expect, it } from 'vitest';
import { daemonPod, helm, type Manifest, renderAll, rendering, template } from './chart.ts';
import { accepted, networkPolicy, rejected, type Values } from './kubernetes-part-cases.ts';

const all = Object.values(rejected).flat();

/** Names that YAML reads as numbers, booleans or nothing if they are not quoted. */
const words = ['123', '1e3', '0x10', 'true', 'on', 'no', 'null', '1-2'];

function named(word: string): Values {
  return {
    nameOverride: word,
    fullnameOverride: word,
    namespaceOverride: word,
    clusters: [
      {
        name: word,
        podLabels: { app: word },
        service: { namespace: word },
        readAuth: { existingSecret: word, key: word },
      },
    ],
    existingSecrets: [`${word}0`],
    serviceAccount: { name: word },
    persistence: { volumeName: word, storageClass: word },
    priorityClassName: word,
    runtimeClassName: word,
    nodeSelector: { [word]: word },
    podAnnotations: { [word]: word },
    commonLabels: { [word]: word },
    image: { repository: word, registry: '', tag: word },
    extraEnv: [{ name: 'A', value: word }],
    ingress: {
      enabled: true,
      className: word,
      hosts: [`${word}.org`],
      tls: [{ secretName: word, hosts: [`${word}.org`] }],
    },
    route: { enabled: true, parentRefs: [{ name: word }] },
    podMonitor: { enabled: true, namespace: word, job: word },
    networkPolicy: { ...networkPolicy, restrictEgress: true },
    dashboards: { grafanaOperator: { enabled: true, folder: word } },
  };
}

const owned: Values = {
  existingConfigMap: { name: '123', key: '456' },
  persistence: { existingClaim: '789' },
  web: { existingSecret: '1e3', file: '0' },
};
const sidecars: Values = { ...named('123'), mode: 'sidecar', sidecar: { name: '456', stateVolumeName: '789' } };

/** Paths of the texts and names in an object that are not texts. */
function unquoted(value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => unquoted(one, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const texts = /(?:[nN]ame|namespace|image|[cC]lass|value|job|replacement|key)$/;
  return Object.entries(value).flatMap(([key, inner]) => [
    ...unquoted(inner, `${at}/${key}`),
    ...(texts.test(key) && ['number', 'boolean'].includes(typeof inner) ? [`${at}/${key}`] : []),
  ]);
}

function labelsOf(object: Manifest): readonly unknown[] {
  return Object.values({ ...object.metadata.labels, ...object.metadata.annotations });
}

describe.skipIf(helm === undefined)('values for parts of Kubernetes objects', () => {
  beforeAll(() => {
    renderAll([...all.map(([values]) => values), ...accepted, ...words.map(named), owned, sidecars]);
  });

  it.each(Object.entries(rejected))('are rejected as a whole with %s', (_, cases) => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
    for (const [values, at] of cases) {
      const { text, error } = template({ values });
      expect(error, JSON.stringify(values)).toContain(at);
      expect(text).toBe('');
    }
  });

  it('are accepted in the forms of Kubernetes', () => {
    for (const values of accepted) expect(template({ values }).error, JSON.stringify(values)).toBe('');
  });

  it.each(words)('may be names that YAML parses as another type: %s', (word) => {
    const { objects } = rendering({ values: named(word) });
    expect(objects.length).toBeGreaterThan(10);
    expect(objects.flatMap((object) => unquoted(object, object.kind))).toEqual([]);
    expect(objects.flatMap(labelsOf).filter((text) => typeof text !== 'string')).toEqual([]);
    const { daemon } = daemonPod(rendering({ values: named(word) }));
    expect(daemon.image).toBe(`${word}:${word}`);
  });

  it('may be such names of additional objects, and of sidecars', () => {
    for (const values of [owned, sidecars]) {
      expect(rendering({ values }).objects.flatMap((object) => unquoted(object, object.kind))).toEqual([]);
    }
  });
});
