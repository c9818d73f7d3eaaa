import { clusterKeySchema, clusterOptionsValue } from './config-value.ts';
import {
  booleanValue,
  entries,
  enumValue,
  type Fields,
  keyValue,
  labelMap,
  labelNameValue,
  nameValue,
  objectList,
  patternValue,
  portValue,
  section,
  stringMap,
  stringValue,
} from './value.ts';

/** Credentials for the server, from a Secret. */
function credential(about: string): Fields[string] {
  return section(about, {
    existingSecret: nameValue('Secret with the credential, mounted at `/etc/graphwarden/secrets/NAME`.'),
    kind: enumValue(
      'Kind of the credential: a token, a password, or a secret of the server that is exchanged for tokens.',
      ['bearerToken', 'basic', 'secret'],
    ),
    key: keyValue('Key in the Secret.', 'token'),
    username: stringValue('User name, for `basic`.'),
  });
}

/** The schema of the configuration, without a minimum number of nodes: by default, the Service discovers them. */
const { minItems: _, ...nodeList } = clusterKeySchema('nodes');

/** Clusters to monitor. */
export const clusterValues = entries('Database clusters to monitor.', ['name'], [{ name: 'graph' }], {
  name: {
    ...stringValue('Name of the cluster, and value of the `cluster_name` label.'),
    schema: clusterKeySchema('name'),
  },
  labels: { ...stringMap('Labels of every series of this cluster.'), schema: clusterKeySchema('labels') },
  service: section('Headless Service of the database, by which the nodes are discovered with DNS.', {
    name: labelNameValue('Name of the Service. If empty, `NAME-internal-service` with the name of the cluster.'),
    namespace: labelNameValue('Namespace of the Service. If empty, the namespace of the release.'),
    portName: patternValue(
      'Name of the port in the Service. SRV records then give the nodes the names of their pods. `-` uses addresses and `port` instead.',
      '-|[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?',
      'nginx',
    ),
    port: portValue('Port number of the nodes, for addresses, sidecars and the NetworkPolicy.', 14240),
    scheme: enumValue('Protocol of the port.', ['http', 'https']),
    refreshInterval: stringValue('Interval of DNS lookups.', '30s'),
  }),
  nodes: {
    ...objectList(
      'Nodes with `name` and `url` (and `host_id`, `instance`), instead of a Service. Gates on memory and CPU require `host_id`. ' +
        'Sidecars still use `port`, `scheme` and `namespace` of `service`.',
    ),
    schema: nodeList,
  },
  podLabels: labelMap('Labels of the pods of the database, for the NetworkPolicy and for the scrape of sidecars.'),
  statefulSet: nameValue('Name of the StatefulSet, for the patch in sidecar mode. If empty, the name of the cluster.'),
  readAuth: credential('Credentials for read requests.'),
  abortAuth: credential('Credentials for abort requests only. Without them, the guard cannot enforce policies.'),
  anonymous: booleanValue(
    'The server has no authentication: the guard can enforce policies without `abortAuth`.',
    false,
  ),
  tls: section('TLS to the server, and the client certificate.', {
    existingSecret: nameValue('Secret with the files below.'),
    caKey: keyValue('Key of the CA bundle; `-` if the Secret has none.', 'ca.crt'),
    certKey: keyValue('Key of the client certificate. If empty, none is sent.'),
    keyKey: keyValue('Key of the private key.'),
    serverName: stringValue(
      'Expected name in the server certificate. Sidecars require it, because they connect to 127.0.0.1.',
    ),
    insecureSkipVerify: booleanValue('Accepts any certificate, for tests only.', false),
  }),
  options: clusterOptionsValue(
    'Other keys of the cluster in the configuration file, such as `graphs`, `server_version` and `metric_prefix`.',
  ),
});
