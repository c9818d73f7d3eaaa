import { parse } from 'yaml';
import { z } from 'zod';
import { type Container, type PodSpec, podSpec, type Rendering } from './chart.ts';

const patch = z.object({ spec: z.object({ template: z.object({ spec: podSpec }) }) });
const component = z.object({
  kind: z.literal('Component'),
  patches: z.tuple([z.object({ target: z.object({ kind: z.string(), name: z.string() }), patch: z.string() })]),
});
const custom = z.object({
  spec: z.object({ sidecarContainers: podSpec.shape.containers, customVolumes: podSpec.shape.volumes }),
});

/** The fragments that the chart prints for the owner of the database pods, parsed. */
export interface Fragments {
  readonly statefulSet: PodSpec;
  readonly kustomize: PodSpec;
  readonly target: string;
  readonly operator: PodSpec;
}

/** The fragments for a cluster. */
export function fragmentsOf(made: Rendering, cluster: string): Fragments {
  const { data = {} } = made.one('ConfigMap', `x-graphwarden-${cluster}-fragments`);
  const [{ target, patch: inner }] = component.parse(parse(data['kustomization.yaml'] ?? '')).patches;
  const { sidecarContainers, customVolumes } = custom.parse(parse(data['operator.yaml'] ?? '')).spec;
  return {
    statefulSet: patch.parse(parse(data['statefulset.yaml'] ?? '')).spec.template.spec,
    kustomize: patch.parse(parse(inner)).spec.template.spec,
    target: target.name,
    operator: podSpec.parse({ containers: sidecarContainers, volumes: customVolumes }),
  };
}

/** Every form of the sidecar of a rendering. */
export function sidecarsOf(made: Rendering): readonly Container[] {
  return clustersOf(made).flatMap((cluster) => {
    const { statefulSet, kustomize, operator } = fragmentsOf(made, cluster);
    return [statefulSet, kustomize, operator].flatMap((pod) => [...pod.initContainers, ...pod.containers]);
  });
}

/** The clusters that there are fragments for. */
export function clustersOf(made: Rendering): readonly string[] {
  return made.objects.flatMap(({ metadata: { name } }) => /^x-graphwarden-(.+)-fragments$/.exec(name)?.[1] ?? []);
}

/** The pod of a database with what a fragment adds to it. */
export function joined(database: PodSpec, { initContainers, containers, volumes }: PodSpec): PodSpec {
  return {
    ...database,
    initContainers: [...database.initContainers, ...initContainers],
    containers: [...database.containers, ...containers],
    volumes: [...database.volumes, ...volumes],
  };
}

/** The quality of service class of a pod, by the rules of Kubernetes; native sidecars count like all others. */
export function qosOf({ containers, initContainers }: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const all = [...containers, ...initContainers].map(({ resources }) => ({
    requests: { ...resources?.limits, ...resources?.requests },
    limits: { ...resources?.limits },
  }));
  if (all.every(({ requests, limits }) => Object.keys({ ...requests, ...limits }).length === 0)) return 'BestEffort';
  const isGuaranteed = all.every(({ requests, limits }) =>
    ['cpu', 'memory'].every((kind) => limits[kind] !== undefined && requests[kind] === limits[kind]),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
