import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../tools/generate/chart/value.ts';
import { helm, renderAll, rendering } from './chart.ts';

const rule = z.looseObject({
  to: z.array(z.looseObject({})).optional(),
  ports: z.array(z.looseObject({ port: z.union([z.number(), z.string()]) })),
});
const policy = z.looseObject({ egress: z.array(rule) });

/** The ports of pods in other places that a restricted policy lets us reach. */
function reachable(values: Readonly<Record<string, Json>>): readonly (readonly (number | string)[])[] {
  const { spec } = rendering({ values }).one('NetworkPolicy');
  const { egress } = policy.parse(spec);
  return egress.filter(({ to }) => JSON.stringify(to ?? '').includes('namespaceSelector')).map(portsOf);
}

function portsOf({ ports }: z.infer<typeof rule>): readonly (number | string)[] {
  return ports.map(({ port }) => port);
}

function listed(...urls: readonly string[]): Readonly<Record<string, Json>> {
  const nodes = urls.map((url, at) => ({ name: `m${at}`, url }));
  return {
    clusters: [{ name: 'a', nodes, podLabels: { app: 'graph' } }],
    networkPolicy: { restrictEgress: true },
  };
}

const lists: readonly (readonly [urls: readonly string[], ports: readonly number[]])[] = [
  [
    ['https://m1:8443', 'https://m2:8443', 'http://[fd00::1]:9001/x'],
    [8443, 9001],
  ],
  [
    ['https://m1', 'http://m2/'],
    [443, 80],
  ],
  [['${NODE_URL}'], [14_240]],
];
const way = { to: [{ namespaceSelector: {} }], ports: [{ port: 9000 }] };
const outside = {
  clusters: [{ name: 'a', nodes: [{ name: 'm1', url: 'http://10.1.2.3:14240' }] }],
  networkPolicy: {
    restrictEgress: true,
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ port: 14_240 }] }],
  },
};
const ownFile = { existingConfigMap: { name: 'mine' }, networkPolicy: { restrictEgress: true, extraEgress: [way] } };

describe.skipIf(helm === undefined)('a restricted policy', () => {
  beforeAll(() => renderAll([...lists.map(([urls]) => listed(...urls)), ownFile, outside]));

  it.each(lists)('allows connections to the ports of the listed nodes: %j', (urls, ports) => {
    expect(reachable(listed(...urls))).toEqual([ports]);
  });

  it('allows nodes outside of Kubernetes by the additional rules only', () => {
    expect(reachable(outside)).toEqual([]);
    const { spec } = rendering({ values: outside }).one('NetworkPolicy');
    expect(spec?.egress).toContainEqual(outside.networkPolicy.extraEgress[0]);
  });

  it('allows only the configured ports with a given configuration file', () => {
    expect(reachable(ownFile)).toEqual([[9000]]);
  });
});
