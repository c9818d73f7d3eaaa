import { nodeConfigValue } from './config-value.ts';
import { choice, object, objects, port, section, text, texts, whole } from './value.ts';

/** The sidecar beside each database node, with `mode: sidecar`. */
export const sidecarValues = section('With `mode: sidecar`: what is beside each node of the database.', {
  name: text('Name of the container.', 'graphwarden'),
  kind: choice(
    '`native`: an init container that goes on, from Kubernetes 1.29 on; `container`: one more container; `auto`: by the version ' +
      'of the cluster.',
    ['auto', 'native', 'container'],
  ),
  port: port('Port to listen on, on the address of the pod; must not be one of the database.', 9916),
  listenAddress: text('Address to listen on; `[${POD_IP}]` for IPv6.', '${POD_IP}'),
  config: nodeConfigValue(
    'The rest of its configuration file: collectors of nodes, and the guard. Cluster budgets, gates on memory and CPU, and ' +
      'receivers are not for it.',
    ['collectors', 'guard', 'limits', 'log', 'state', 'tracing'],
  ),
  databaseQos: choice(
    'Quality of service class of the pods of the database; `resources` are held to it, so that it stays what it is.',
    ['Guaranteed', 'Burstable', 'BestEffort'],
  ),
  resources: object(
    'What it may use. Requests that equal the limits keep Guaranteed and Burstable pods what they are.',
    {
      requests: { cpu: '200m', memory: '256Mi' },
      limits: { cpu: '200m', memory: '256Mi' },
    },
  ),
  imagePullPolicy: choice('`IfNotPresent`: a registry that is away shall not keep a database from starting.', [
    'IfNotPresent',
    'Always',
    'Never',
  ]),
  securityContext: object('Security context of the container: fits the «restricted» standard.', {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 65532,
    runAsGroup: 65532,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  }),
  stateVolume: object(
    'Volume of its state: an `emptyDir`, which lasts as long as the pod. Others are refused: they can keep the database from starting.',
  ),
  stateVolumeName: text(
    'For a state that outlives the pod: name of a volume that the pod has anyway, such as one of the `volumeClaimTemplates` of the ' +
      'database; uid 65532 has to be able to write to it.',
  ),
  stateSize: text('How large its state may become.', '128MiB'),
  livenessProbe: object(
    'Off: a restart makes the pod unready for a moment. Its handler is `/-/healthy`; others are refused.',
  ),
  extraEnv: objects('More of its environment; references have to be `optional`.'),
  extraArgs: texts('More arguments: `--config=FILE`; others are refused.'),
  extraVolumes: objects(
    'More volumes for the pod. They have to be `optional`: others would keep it from starting when they are not there.',
  ),
  extraVolumeMounts: objects('More mounts, of these or of volumes that the pod has.'),
  replicas: whole('Refused: there is one beside each node.', 0),
});
