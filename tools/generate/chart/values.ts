import { clusterValues } from './cluster-values.ts';
import { configValue } from './config-value.ts';
import { manifestList, selectorValue } from './kubernetes-parts.ts';
import { monitoringValues } from './monitoring-values.ts';
import { networkValues } from './network-values.ts';
import { podValues } from './pod-values.ts';
import { sidecarValues } from './sidecar-values.ts';
import {
  booleanValue,
  enumList,
  enumValue,
  type Fields,
  integerValue,
  keyValue,
  labelMap,
  labelNameValue,
  nameList,
  nameSchema,
  nameValue,
  objectList,
  objectName,
  patternValue,
  requiredKey,
  requiredValue,
  section,
  stringList,
  stringMap,
  stringValue,
} from './value.ts';

/** `HOST`, or `HOST:PORT`; an IPv6 address is in brackets. */
const serverPattern =
  '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?$';
const registryPattern = '([A-Za-z0-9][A-Za-z0-9.-]*|\\[[0-9A-Fa-f:]+\\])(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*';
const repositoryPattern = '[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*';

const pullSecretSchema = {
  type: 'object',
  properties: { name: nameSchema },
  required: ['name'],
  additionalProperties: false,
} as const;

/** Values for all objects of the chart. */
const nameValues: Fields = {
  global: {
    ...section('Values shared with other charts of a parent chart.', {
      imageRegistry: patternValue('Registry of the image, instead of `image.registry`.', registryPattern),
      imagePullSecrets: {
        ...objectList('Pull secrets in addition to `imagePullSecrets`: `[{ name: regcred }]` or `[regcred]`.'),
        schema: { type: 'array', items: { oneOf: [nameSchema, pullSecretSchema] } },
      },
    }),
    isOpen: true,
  },
  nameOverride: stringValue('Replaces the name of the chart in names and labels.'),
  fullnameOverride: stringValue('Replaces the generated name of all objects.'),
  namespaceOverride: labelNameValue('Namespace of all objects, instead of the namespace of the release.'),
  clusterDomain: requiredValue(
    'Domain of the Kubernetes cluster, for fully qualified SRV names.',
    objectName,
    'cluster.local',
  ),
  commonLabels: labelMap('Labels of every object and of the pods.'),
  commonAnnotations: stringMap('Annotations of every object.'),
};

const imageValues: Fields = {
  image: section('Container image. It contains the program and Node, and no shell.', {
    registry: patternValue('Registry of the image.', registryPattern, 'ghcr.io'),
    repository: requiredValue('Repository of the image.', repositoryPattern, 'graphwarden/graphwarden'),
    tag: patternValue(
      'Tag of the image. If empty, the `appVersion` of the chart.',
      '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}',
    ),
    digest: stringValue('Digest of the image, such as `sha256:…`. It takes precedence over the tag.'),
    pullPolicy: enumValue(
      'Image pull policy. With `IfNotPresent`, a container can restart while the registry is unavailable.',
      ['Always', 'IfNotPresent', 'Never'],
    ),
  }),
  imagePullSecrets: {
    ...objectList('Pull secrets of the registry: `[{ name: regcred }]`.'),
    schema: {
      type: 'array',
      items: pullSecretSchema,
      uniqueItems: true,
    },
  },
};

const postgresValues = section(
  'PostgreSQL for the state, with which several replicas share the clusters (docs/guides/high-availability.md).',
  {
    existingSecret: nameValue('Secret with the password. If empty, the state is in the volume of `persistence`.'),
    passwordKey: requiredKey('Key of the password in the Secret.', 'password'),
    hosts: {
      ...stringList('Servers as `HOST` or `HOST:PORT`. With several, one of them is the primary at a time.'),
      schema: { type: 'array', items: { type: 'string', pattern: serverPattern }, maxItems: 8, uniqueItems: true },
    },
    database: requiredValue('Name of the database.', '.+', 'graphwarden'),
    username: requiredValue('User of the database.', '.+', 'graphwarden'),
    tls: section(
      'TLS to the servers. Without `existingSecret`, `serverName` or `caKey: "-"`, connections are not encrypted.',
      {
        existingSecret: nameValue(
          'Secret with the certificate of the CA and, if the server requires it, that of the client.',
        ),
        caKey: keyValue('Key of the CA certificate; `-` for the CAs that Node contains.', 'ca.crt'),
        certKey: keyValue('Key of the client certificate.'),
        keyKey: keyValue('Key of the private key.'),
        serverName: stringValue('Server name to verify instead of the host.'),
      },
    ),
    namespace: labelNameValue(
      'Namespace of the servers, for `networkPolicy.restrictEgress`. If empty, that of the release.',
    ),
    podLabels: labelMap('Labels of the pods of the servers, for `networkPolicy.restrictEgress`.'),
  },
);

const configurationValues: Fields = {
  mode: enumValue(
    '`deployment`: one daemon for everything. `sidecar`: one daemon per database node and one for the cluster. The chart ' +
      'generates fragments for the pods of the database and does not change these pods.',
    ['deployment', 'sidecar'],
  ),
  clusters: clusterValues,
  config: configValue(
    'Other keys of the configuration file (docs/configuration.md): collectors, tracker, alerts, guard ….',
  ),
  existingConfigMap: section(
    'Existing ConfigMap with a complete configuration file, instead of `clusters` and `config`.',
    {
      name: nameValue('Name of the ConfigMap.'),
      key: requiredKey('Key of the file in the ConfigMap.', 'graphwarden.yml'),
      path: stringValue('Path of `external_url` in the file, such as `/warden`, for probes and monitors.'),
    },
  ),
  existingSecrets: nameList(
    'Secrets to mount, each at `/etc/graphwarden/secrets/NAME`. Secrets of `clusters` are always mounted.',
  ),
  web: section('TLS and users of the listener of graphwarden.', {
    createUsers: booleanValue(
      'Creates a Secret `NAME-users` with random passwords: `graphwarden` may read, and `prometheus` may scrape only; monitors use it. ' +
        'An upgrade keeps them. Tools that render without access to the cluster (Argo CD, `helm template`) get new ones each time: ' +
        'use `existingSecret` there. Without users, every client that connects may read.',
      true,
    ),
    existingSecret: nameValue(
      'Secret with the web configuration file, the certificate and the key, mounted at `/etc/graphwarden/web`.',
    ),
    file: requiredKey('Key of the web configuration file in the Secret.', 'web.yml'),
    scheme: enumValue('Protocol of the listener, for probes and monitors.', ['http', 'https']),
  }),
  replicaCount: integerValue(
    'Number of replicas: 1, or 0 to stop the daemon. 2 or more require `state.postgres`: they share the clusters.',
    1,
  ),
  state: section('State outside of the pod.', { postgres: postgresValues }),
  strategy: {
    ...section('Update strategy, which is fixed: `Recreate`, or a rolling update with `state.postgres`.', {
      type: stringValue('Only `Recreate` is allowed: two daemons with one volume must not overlap.', 'Recreate'),
    }),
    isOpen: true,
  },
  autoscaling: {
    ...section('Horizontal autoscaling, which is not supported.', {
      enabled: booleanValue('Not supported: set `replicaCount`, or use `verticalPodAutoscaler`.', false),
    }),
    isOpen: true,
  },
  persistence: section(
    'Volume of the state: transitions, open alerts, queued notifications, budgets of the guard. Not used with `state.postgres`.',
    {
      enabled: booleanValue(
        'Stores the state in a volume. Without it, the state is lost with the pod, and the guard starts with full budgets.',
        true,
      ),
      existingClaim: nameValue('Existing claim, instead of a claim of the chart.'),
      storageClass: patternValue(
        'Storage class. If empty, the default of the cluster; `-` for none.',
        `-|${objectName}`,
        '',
        253,
      ),
      accessModes: enumList(
        'Access modes. `ReadWriteOncePod` (Kubernetes 1.29 or later) is the strictest.',
        ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany'],
        ['ReadWriteOnce'],
      ),
      size: stringValue(
        'Size of the volume. `config.state.retention.size` is 40 % of it, at most 2 GiB, unless you set it, to at most half: a migration copies the state.',
        '4Gi',
      ),
      volumeName: nameValue('Name of the volume to bind. If empty, any that fits.'),
      selector: selectorValue('Selector of the volumes to bind.'),
      keep: booleanValue('Keeps the claim when the release is uninstalled.', false),
      labels: labelMap('Labels of the claim.'),
      annotations: stringMap('Annotations of the claim.'),
    },
  ),
};

/** All values of the chart. */
export const chartValues: Fields = {
  ...nameValues,
  ...imageValues,
  ...configurationValues,
  ...podValues,
  ...networkValues,
  ...monitoringValues,
  sidecar: sidecarValues,
  extraManifests: manifestList('Additional objects. Templates in them are rendered.'),
  configCheck: section('Job that validates the configuration with the image before an installation and an upgrade.', {
    enabled: booleanValue(
      'Creates the Job, a hook. If the program rejects the configuration, Helm changes nothing and the log of the pod states why.',
      false,
    ),
    strict: booleanValue('Also fails if the configuration has warnings, such as a policy that never matches.', false),
    timeout: integerValue(
      'Seconds after which the Job fails, for example because the image cannot be pulled.',
      120,
      10,
    ),
  }),
  tests: section('Checks of `helm test`.', {
    enabled: booleanValue('Checks the configuration in a pod, and the daemon if it has a Service.', true),
    doctor: booleanValue('Checks that every node of the database answers all requests of the collectors.', false),
  }),
};
