import { describe, expect, it } from 'vitest';
import { eventually } from '../support/child.ts';
import { find, get, makeNamespace, pathOf } from '../support/cluster/api.ts';
import { idlePrefix } from '../support/cluster/kubelet.ts';
import { type HelmVersion, objectsIn, release } from './release.ts';

// Without a pod, only the objects of the release are there.
const values = {
  replicaCount: 0,
  // Names that YAML takes for something else.
  existingSecrets: ['1e3', 'true'],
  priorityClassName: 'on',
  service: { enabled: true },
  podMonitor: { enabled: true },
  podAnnotations: { a: 'first' },
};

describe('a release', () => {
  it.each<readonly [HelmVersion, HelmVersion]>([
    [3, 4],
    [4, 3],
  ])('that Helm %i installs is upgraded by Helm %i, rolled back, upgraded and uninstalled', async (first, second) => {
    const namespace = await makeNamespace(`${idlePrefix}helm-${first}`);
    const [one, other] = [first, second].map((version) => release('123', namespace, { version }));
    if (one === undefined || other === undefined) expect.fail('there are two');
    const path = (version: string, kind: string, name = '123-graphwarden'): string =>
      `${pathOf(version, kind, namespace)}/${name}`;
    const annotation = async (): Promise<unknown> => {
      const { spec } = await get(path('apps/v1', 'Deployment'));
      return JSON.parse(JSON.stringify(spec)).template.metadata.annotations.a;
    };
    const passwords = async (): Promise<object> => (await get(path('v1', 'Secret', '123-graphwarden-users'))).data;

    await one.apply(values);
    const [objects, users] = [await objectsIn(namespace), await passwords()];
    expect(await annotation()).toBe('first');

    const { podAnnotations: _, service: __, ...rest } = values;
    await other.apply({ ...rest, config: { log: { level: 'debug' } } });
    expect(await annotation()).toBeUndefined();
    expect(await find(path('v1', 'Service'))).toBeUndefined();
    expect(JSON.stringify((await get(path('v1', 'ConfigMap'))).data)).toContain('debug');
    expect(await passwords()).toEqual(users);

    await one.helm('rollback');
    expect(await annotation()).toBe('first');
    expect(await find(path('v1', 'Service'))).toBeDefined();
    expect(JSON.stringify((await get(path('v1', 'ConfigMap'))).data)).not.toContain('debug');
    expect(await passwords()).toEqual(users);

    await other.helm('rollback');
    expect(await annotation()).toBeUndefined();
    await one.apply(values);
    // Each revision of a release is a Secret.
    const now = (await objectsIn(namespace)).filter((name) => !name.includes('sh.helm.release'));
    expect(now).toEqual(objects.filter((name) => !name.includes('sh.helm.release')));
    for (const version of [one, other]) {
      expect(await version.refusal({ ...values, existingSecrets: ['a', 'a'] })).toContain('existingSecrets');
    }
    await other.helm('uninstall');
    await eventually('nothing is left', async () => (await objectsIn(namespace)).length === 0);
  });
});
