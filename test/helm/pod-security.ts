import { z } from 'zod';
import type { Container, PodSpec } from './chart.ts';

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const context = z.looseObject({
  privileged: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  runAsNonRoot: z.boolean().optional(),
  runAsUser: z.number().optional(),
  procMount: z.string().optional(),
  capabilities: z.looseObject({ drop: z.array(z.string()).optional(), add: z.array(z.string()).optional() }).optional(),
  seccompProfile: z.looseObject({ type: z.string() }).optional(),
});

/** What the «restricted» Pod Security Standard has against a pod: the rules of its page, one by one. */
export function podSecurityViolations(pod: PodSpec): readonly string[] {
  const whole = context.parse(pod.securityContext ?? {});
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name] === true);
  const volumes = pod.volumes.flatMap(({ name, ...source }) =>
    Object.keys(source).every((kind) => allowedVolumes.includes(kind)) ? [] : [`volume ${name} is of another kind`],
  );
  const containers = [...pod.initContainers, ...pod.containers].flatMap((one) => containerViolations(one, whole));
  return [...shared.map((name) => `${name} is on`), ...volumes, ...containers];
}

function containerViolations(
  { name, securityContext, ports = [] }: Container,
  whole: z.infer<typeof context>,
): readonly string[] {
  const own = context.parse(securityContext ?? {});
  const { capabilities = {} } = own;
  const rules: readonly (readonly [boolean, string])[] = [
    [own.privileged !== true, 'is privileged'],
    [own.allowPrivilegeEscalation === false, 'may escalate'],
    [own.runAsNonRoot ?? whole.runAsNonRoot ?? false, 'may be root'],
    [(own.runAsUser ?? whole.runAsUser) !== 0, 'is root'],
    [(own.procMount ?? 'Default') === 'Default', 'sees /proc unmasked'],
    [capabilities.drop?.includes('ALL') ?? false, 'keeps capabilities'],
    [(capabilities.add ?? []).every((added) => added === 'NET_BIND_SERVICE'), 'adds capabilities'],
    [
      ['RuntimeDefault', 'Localhost'].includes((own.seccompProfile ?? whole.seccompProfile)?.type ?? ''),
      'has no seccomp profile',
    ],
    [ports.every((port) => port.hostPort === undefined), 'takes a port of the host'],
  ];
  return rules.flatMap(([holds, error]) => (holds ? [] : [`${name} ${error}`]));
}
