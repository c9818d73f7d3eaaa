import { clusterValues } from './cluster-values.ts';
import { configValue } from './config-value.ts';
import { monitoringValues } from './monitoring-values.ts';
import { networkValues } from './network-values.ts';
import { podValues } from './pod-values.ts';
import { sidecarValues } from './sidecar-values.ts';
import { choice, type Fields, flag, objects, section, text, texts, whole, words } from './value.ts';

/** What holds for every object of the chart. */
const nameValues: Fields = {
  global: {
    ...section('Shared with the other charts of a parent chart.', {
      imageRegistry: text('Registry that images come from, instead of `image.registry`.'),
    }),
    isOpen: true,
  },
  nameOverride: text('Name of the chart in names and labels.'),
  fullnameOverride: text('Name of all objects, instead of release and chart.'),
  namespaceOverride: text('Namespace of all objects, instead of that of the release.'),
  clusterDomain: text('Domain of the Kubernetes cluster; SRV names are asked for in full.', 'cluster.local'),
  commonLabels: words('Put on every object, and on the pods.'),
  commonAnnotations: words('Put on every object.'),
};

const imageValues: Fields = {
  image: section('The image; it holds the program and a Node to run it, and no shell.', {
    registry: text('Registry that it comes from.', 'ghcr.io'),
    repository: text('Name in the registry.', 'graphwarden/graphwarden'),
    tag: text("Tag; the version of the chart's program when empty."),
    digest: text('Digest such as `sha256:…`; then the tag does not count.'),
    pullPolicy: choice('When the image is pulled.', ['Always', 'IfNotPresent', 'Never']),
  }),
  imagePullSecrets: objects('Secrets for the registry: `[{ name: regcred }]`.'),
};

const configurationValues: Fields = {
  mode: choice(
    '`deployment`: one daemon for everything. `sidecar`: one beside each database node, and one for the cluster; the chart ' +
      'writes what goes into the pods of the database, and touches none of them.',
    ['deployment', 'sidecar'],
  ),
  clusters: clusterValues,
  config: configValue(
    'The rest of the configuration file, as in docs/configuration.md of the project: collectors, tracker, alerts, guard ….',
  ),
  existingConfigMap: section(
    'A ConfigMap of yours with the whole configuration file, instead of `clusters` and `config`.',
    {
      name: text('Its name.'),
      key: text('The key that holds the file.', 'graphwarden.yml'),
      path: text('Path of `external_url` in it, such as `/watch`: probes and monitors need to know.'),
    },
  ),
  existingSecrets: texts(
    'Secrets to mount, each as the folder `/etc/graphwarden/secrets/NAME`; those of `clusters` are anyway.',
  ),
  web: section('TLS and users of our own listener.', {
    existingSecret: text(
      'Secret with the web config file, its certificate and its key; they are in `/etc/graphwarden/web`.',
    ),
    file: text('The key that holds the web config file.', 'web.yml'),
    scheme: choice('What the listener speaks then; probes and monitors need to know.', ['http', 'https']),
  }),
  replicaCount: whole('1, or 0 to stop it: a state has one daemon.', 1),
  strategy: {
    ...section('How an update goes, which nobody can choose.', {
      type: text('Refused, but for `Recreate`: two daemons that abort must never overlap.', 'Recreate'),
    }),
    isOpen: true,
  },
  autoscaling: {
    ...section('There is none, and the chart says why when it is asked for.', {
      enabled: flag('Refused: a state has one daemon. `verticalPodAutoscaler` is what helps.', false),
    }),
    isOpen: true,
  },
  persistence: section('The state: transitions, open alerts, what is owed to receivers, budgets of the guard.', {
    enabled: flag('Keep it in a volume; without, it ends with the pod, and the guard begins with fresh budgets.', true),
    existingClaim: text('A claim of yours instead of one of the chart.'),
    storageClass: text('Storage class; that of the cluster when empty, none for `-`.'),
    accessModes: texts('Access modes; `ReadWriteOncePod` from Kubernetes 1.29 on is the strictest.', ['ReadWriteOnce']),
    size: text('Size; above `config.state.retention.size`.', '4Gi'),
    keep: flag('Leave the claim when the release is uninstalled.', false),
    annotations: words('Put on the claim.'),
  }),
};

/** Every value of the chart. */
export const chartValues: Fields = {
  ...nameValues,
  ...imageValues,
  ...configurationValues,
  ...podValues,
  ...networkValues,
  ...monitoringValues,
  sidecar: sidecarValues,
  extraManifests: objects('Objects of yours that come along; templates in them are rendered.'),
  tests: section('What `helm test` does.', {
    enabled: flag('Check the configuration in a pod, and the daemon where it has a Service.', true),
    doctor: flag('Ask every node of the database for everything that the collectors read.', false),
  }),
};
