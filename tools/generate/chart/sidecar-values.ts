import { nodeConfigValue } from './config-value.ts';
import { contextValue, mountList, probeValue, variableList, volumeList } from './kubernetes-parts.ts';
import {
  enumValue,
  integerValue,
  labelNameValue,
  listenValue,
  objectValue,
  portValue,
  resourcesValue,
  section,
  stringList,
  stringValue,
} from './value.ts';

/** Sidecar of each database node, with `mode: sidecar`. */
export const sidecarValues = section('Sidecars of the database nodes, with `mode: sidecar`.', {
  name: labelNameValue('Name of the container.', 'graphwarden'),
  kind: enumValue(
    '`native`: an init container that keeps running (Kubernetes 1.29 or later). `container`: an ordinary container. `auto`: ' +
      'depends on the Kubernetes version.',
    ['auto', 'native', 'container'],
  ),
  port: portValue('Listen port. It must not be a port of the database.', 9916),
  listenAddress: listenValue('Listen address: by default that of the pod, IPv4 or IPv6.', '${POD_IP}'),
  config: nodeConfigValue(
    'Other keys of the configuration file of the sidecars: collectors of nodes, and the guard. Cluster budgets, gates on ' +
      'memory and CPU, and receivers are not available.',
    ['collectors', 'guard', 'limits', 'log', 'state', 'telemetry'],
  ),
  databaseQos: enumValue('QoS class of the pods of the database. The chart checks that `resources` keep it.', [
    'Guaranteed',
    'Burstable',
    'BestEffort',
  ]),
  resources: resourcesValue(
    'Resource requests and limits. Requests equal to the limits keep the class of Guaranteed and Burstable pods.',
    {
      requests: { cpu: '200m', memory: '256Mi' },
      limits: { cpu: '200m', memory: '256Mi' },
    },
  ),
  imagePullPolicy: enumValue(
    'Image pull policy. With `IfNotPresent`, an unavailable registry does not keep the database from starting.',
    ['IfNotPresent', 'Always', 'Never'],
  ),
  securityContext: contextValue('Security context of the container. Meets the `restricted` Pod Security Standard.', {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 65532,
    runAsGroup: 65532,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  }),
  stateVolume: objectValue(
    'Volume of the state: an `emptyDir`, which is lost with the pod. The chart rejects other volumes, because they can keep the database from starting.',
  ),
  stateVolumeName: labelNameValue(
    'Name of an existing volume of the pod for a state that outlives the pod, such as one of the `volumeClaimTemplates` of ' +
      'the database. User 65532 must be able to write to it.',
  ),
  stateSize: stringValue('Maximum size of the state.', '128MiB'),
  livenessProbe: probeValue(
    'Liveness probe, disabled by default: a restart makes the pod unready for a moment. The handler is `/-/healthy`; the chart rejects others.',
  ),
  extraEnv: variableList('Additional environment variables. References must be `optional`.'),
  extraArgs: stringList('Additional arguments: only `--config=FILE` is allowed.'),
  extraVolumes: volumeList(
    'Additional volumes of the pod. They must be `optional`, because a missing object keeps the pod from starting.',
  ),
  extraVolumeMounts: mountList('Additional mounts, of these volumes or of volumes of the pod.'),
  replicas: integerValue('Not supported: each node has one sidecar.', 0),
});
