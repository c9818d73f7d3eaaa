import { clusterKeySchema, clusterOptionsValue } from './config-value.ts';
import { choice, entries, type Fields, flag, objects, port, section, text, words } from './value.ts';

/** How to show oneself to the server, from a Secret. */
function credential(about: string): Fields[string] {
  return section(about, {
    existingSecret: text('Secret with the credential; mounted as `/etc/graphwarden/secrets/NAME`.'),
    kind: choice('A token, a password, or a secret of the server that is exchanged for tokens.', [
      'bearerToken',
      'basic',
      'secret',
    ]),
    key: text('Key in the Secret.', 'token'),
    username: text('User name, for `basic`.'),
  });
}

/** Of the program, but that there may be none: then they are found by the Service. */
const { minItems: _, ...nodeList } = clusterKeySchema('nodes');

/** The clusters to watch. */
export const clusterValues = entries('The clusters of the database to watch.', ['name'], [{ name: 'graph' }], {
  name: { ...text('The `cluster_name` label.'), schema: clusterKeySchema('name') },
  labels: { ...words('Put on every series of this cluster.'), schema: clusterKeySchema('labels') },
  service: section('The headless Service of the database: its nodes are found by DNS.', {
    name: text('Name of the Service; `NAME-internal-service` when empty, with the name of the cluster.'),
    namespace: text('Its namespace; that of the release when empty.'),
    portName: text(
      'Name of its port: SRV records then name the nodes by their pods. `-`: by addresses and `port`.',
      'nginx',
    ),
    port: port(
      'Number of the port, for addresses, for sidecars and for the NetworkPolicy; with SRV records or `nodes`, that of the nodes.',
      14240,
    ),
    scheme: choice('What the database speaks there.', ['http', 'https']),
    every: text('How often the name is asked for.', '30s'),
  }),
  nodes: {
    ...objects(
      'Nodes by name and url (`host_id`, `instance`), instead of a Service. Gates on memory and CPU need `host_id`. `port`, `scheme` and `namespace` of ' +
        '`service` still count for sidecars.',
    ),
    schema: nodeList,
  },
  podLabels: words('Labels of the pods of the database: for the NetworkPolicy, and to scrape sidecars.'),
  statefulSet: text('Name of its StatefulSet, for the patch in sidecar mode; the name of the cluster when empty.'),
  readAuth: credential('How to show ourselves when reading.'),
  abortAuth: credential('How to show ourselves for the abort call alone; without it nothing is enforced.'),
  anonymous: flag('The server asks nobody who they are: the guard may enforce without `abortAuth`.', false),
  tls: section('How to check a server that speaks https, and to show a client certificate.', {
    existingSecret: text('Secret with the files below.'),
    caKey: text('Key of the authorities; `-` when there are none.', 'ca.crt'),
    certKey: text('Key of our client certificate; none when empty.'),
    keyKey: text('Key of its private key.'),
    serverName: text('Name expected in the certificate of the server; sidecars need it, since they ask 127.0.0.1.'),
    insecureSkipVerify: flag('Accept any certificate: for tests.', false),
  }),
  options: clusterOptionsValue(
    'Other keys of the cluster in the configuration file: `graphs`, `server_version`, `metric_prefix`.',
  ),
});
