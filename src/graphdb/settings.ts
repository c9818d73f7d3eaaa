import { z } from 'zod';
import type { ClusterSettings, DiscoverSettings, NodeSettings, TlsSettings } from '../model/settings.ts';
import { authSection } from './auth-settings.ts';
import { durationField } from './duration-field.ts';
import { urlField } from './url-field.ts';

/** Names end up in labels, in paths and in `CLUSTER/NODE`: what needs no quoting in any of them. */
const identifier = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
  error: 'must be 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
});
const fileName = z.string().min(1);

const nodeSection = z
  .strictObject({
    name: identifier.describe('The `node` label, unique in its cluster.').meta({ examples: ['m1'] }),
    url: urlField('http://10.0.0.1:14240').describe('Address of this very node, not of a balancer.'),
    host_id: z
      .string()
      .min(1)
      .optional()
      .describe('The name the server itself uses for this host; without it no gate on its memory or CPU opens.')
      .meta({ examples: ['m1'] }),
    instance: z
      .string()
      .min(1)
      .optional()
      .describe('The tag of its query endpoint, which its request ids have; learnt when absent, from ten lists.')
      .meta({ examples: ['RESTPP_1_1'] }),
  })
  .transform(
    ({ name, url, host_id: hostId, instance }): NodeSettings => ({
      name,
      url,
      ...(hostId === undefined ? {} : { hostId }),
      ...(instance === undefined ? {} : { instance }),
    }),
  );

/** Two ways in one mapping, told apart by which name is given. */
const discoverSection = z
  .strictObject({
    srv: z
      .string()
      .min(1)
      .optional()
      .describe(
        'SRV name; a node is called like the first label of its target, and watched for a day after it is named no more.',
      )
      .meta({ examples: ['_nginx._tcp.graph-internal.db.svc'] }),
    dns: z
      .string()
      .min(1)
      .optional()
      .describe('Name with one address per node; wants `port`.')
      .meta({ examples: ['graph-internal.db.svc'] }),
    port: z
      .int()
      .min(1)
      .max(65535)
      .optional()
      .describe('Port of every node found by `dns`.')
      .meta({ examples: [14240] }),
    every: durationField.prefault('30s').describe('How often the name is asked.'),
    scheme: z.enum(['http', 'https']).prefault('http').describe('Scheme of the addresses that are found.'),
  })
  .transform(({ srv, dns, port, every, scheme }, context): DiscoverSettings => {
    if (srv !== undefined && dns === undefined && port === undefined) return { kind: 'srv', name: srv, every, scheme };
    if (srv === undefined && dns !== undefined && port !== undefined) {
      return { kind: 'dns', name: dns, port, every, scheme };
    }
    context.issues.push({ code: 'custom', message: 'needs either srv alone, or dns with port', input: '' });
    return z.NEVER;
  });

const tlsSection = z
  .strictObject({
    ca_file: fileName
      .optional()
      .describe('PEM file with the authorities to trust instead of the system ones.')
      .meta({ examples: ['ca.pem'] }),
    cert_file: fileName
      .optional()
      .describe('PEM file with our client certificate.')
      .meta({ examples: ['client.pem'] }),
    key_file: fileName
      .optional()
      .describe('PEM file with its key.')
      .meta({ examples: ['client.key'] }),
    server_name: z
      .string()
      .min(1)
      .optional()
      .describe('Name expected in the server certificate.')
      .meta({ examples: ['graph.example.org'] }),
    insecure_skip_verify: z.boolean().prefault(false).describe('Accept any certificate: for tests.'),
  })
  .transform((given, context): TlsSettings => {
    if ((given.cert_file === undefined) !== (given.key_file === undefined)) {
      context.issues.push({ code: 'custom', message: 'needs cert_file and key_file together', input: '' });
      return z.NEVER;
    }
    return {
      ...(given.ca_file === undefined ? {} : { caFile: given.ca_file }),
      ...(given.cert_file === undefined ? {} : { certFile: given.cert_file }),
      ...(given.key_file === undefined ? {} : { keyFile: given.key_file }),
      ...(given.server_name === undefined ? {} : { serverName: given.server_name }),
      insecureSkipVerify: given.insecure_skip_verify,
    };
  });

const labelName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: 'is not a label name: use letters, digits and underscores, and begin with a letter',
});

/** The server's own rule for names, which also makes them safe in a path. */
const graphName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, { error: 'is not a graph name' });

const graphs = z.union([z.literal('auto'), z.array(graphName).min(1)], {
  error: 'must be auto or a list of graph names',
});

/** One entry of `clusters`. That it has `nodes` or `discover`, and names of its own, is checked over the whole file. */
export const clusterSection = z
  .strictObject({
    name: identifier.describe('The `cluster_name` label.').meta({ examples: ['prod'] }),
    labels: z
      .record(labelName, z.string())
      .prefault({})
      .describe('Put on every series of this cluster.')
      .meta({ examples: [{ env: 'prod' }] }),
    nodes: z.array(nodeSection).min(1).optional().describe('Every node, each by its own address; or use `discover`.'),
    discover: discoverSection.optional().describe('Find the nodes by DNS instead of listing them.'),
    read_auth: authSection.optional().describe('How to show ourselves when reading; absent: not at all.'),
    abort_auth: authSection
      .optional()
      .describe('Used for the abort call alone; without it, where there is `read_auth`, policies can only observe.'),
    tls: tlsSection.optional().describe('How to check an https server and to show a client certificate.'),
    graphs: graphs.prefault('auto').describe('`auto` asks the server; a list narrows what is read per graph.'),
    server_version: z
      .string()
      .regex(/^(auto|\d+\.\d+(\.\d+)?)$/, { error: 'must be auto or a version such as "4.1"' })
      .prefault('auto')
      .describe('`auto`, or the version that picks the paths; in quotes.')
      .meta({ examples: ['4.1'] }),
    metric_prefix: z
      .string()
      .regex(/^(auto|[A-Za-z_:][A-Za-z0-9_:]*_)$/, { error: 'must be auto or a prefix that ends in an underscore' })
      .prefault('auto')
      .describe("`auto`, or the prefix of the server's own metrics with its underscore.")
      .meta({ examples: ['svc_'] }),
  })
  .transform(toSettings);

function toSettings(given: {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly nodes?: readonly NodeSettings[] | undefined;
  readonly discover?: DiscoverSettings | undefined;
  readonly read_auth?: ClusterSettings['readAuth'] | undefined;
  readonly abort_auth?: ClusterSettings['abortAuth'] | undefined;
  readonly tls?: TlsSettings | undefined;
  readonly graphs: ClusterSettings['graphs'];
  readonly server_version: string;
  readonly metric_prefix: string;
}): ClusterSettings {
  return {
    name: given.name,
    labels: given.labels,
    nodes: given.nodes ?? [],
    ...(given.discover === undefined ? {} : { discover: given.discover }),
    readAuth: given.read_auth ?? { kind: 'none' },
    abortAuth: given.abort_auth ?? { kind: 'none' },
    ...(given.tls === undefined ? {} : { tls: given.tls }),
    graphs: given.graphs,
    serverVersion: given.server_version,
    metricPrefix: given.metric_prefix,
  };
}
