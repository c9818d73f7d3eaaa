import { z } from 'zod';
import type { AuthSettings, ClusterSettings, DiscoverSettings, NodeSettings, TlsSettings } from '../model/settings.ts';
import { instancePattern } from './query-identity.ts';
import {
  durationField,
  environmentReference,
  identifier,
  maxStatements,
  requestId,
  secretFile,
  secretSource,
  secretText,
  urlField,
} from './settings-fields.ts';

const fileName = z.string().min(1);

const nodeSection = z
  .strictObject({
    name: identifier.describe('The `node` label, unique in its cluster.').meta({ examples: ['m1'] }),
    url: urlField('http://10.0.0.1:14240').describe(
      'Base URL of this node; not a load balancer. With guard policies, a node may be in one cluster only.',
    ),
    host_id: z
      .string()
      .min(1)
      .optional()
      .describe('Name of this host in the metrics of the server. Required by gates on memory or CPU.')
      .meta({ examples: ['m1'] }),
    instance: z
      .string()
      .regex(instancePattern, {
        error: 'must be RESTPP_<partition>_<replica> as in request ids, for example RESTPP_1_1',
      })
      .optional()
      .describe(
        'Query server instance of this node, as in request ids; if omitted, the guard learns it from ten process lists.',
      )
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

/** Two ways to discover nodes, distinguished by their keys. */
const discoverSection = z
  .strictObject({
    srv: z
      .string()
      .min(1)
      .optional()
      .describe(
        'SRV name. The first label of a target is the name of the node. A node is kept for one day after its record disappears.',
      )
      .meta({ examples: ['_nginx._tcp.graph-internal.db.svc'] }),
    dns: z
      .string()
      .min(1)
      .optional()
      .describe('DNS name that resolves to one address per node; requires `port`.')
      .meta({ examples: ['graph-internal.db.svc'] }),
    port: z
      .int()
      .min(1)
      .max(65535)
      .optional()
      .describe('Port of every node found by `dns`.')
      .meta({ examples: [14240] }),
    refresh_interval: durationField.prefault('30s').describe('Interval between DNS lookups.'),
    scheme: z.enum(['http', 'https']).prefault('http').describe('Scheme of the discovered addresses.'),
  })
  .transform(({ srv, dns, port, refresh_interval: refreshInterval, scheme }, context): DiscoverSettings => {
    if (srv !== undefined && dns === undefined && port === undefined)
      return { kind: 'srv', name: srv, refreshInterval, scheme };
    if (srv === undefined && dns !== undefined && port !== undefined) {
      return { kind: 'dns', name: dns, port, refreshInterval, scheme };
    }
    context.issues.push({ code: 'custom', message: 'needs either srv alone, or dns with port', input: '' });
    return z.NEVER;
  });

/** TLS settings of a client. */
export const tlsSection = z
  .strictObject({
    ca_file: fileName
      .optional()
      .describe('CA bundle (PEM). Replaces the built-in CA certificates.')
      .meta({ examples: ['ca.pem'] }),
    cert_file: fileName
      .optional()
      .describe('Client certificate (PEM).')
      .meta({ examples: ['client.pem'] }),
    key_file: fileName
      .optional()
      .describe('Private key of the client certificate (PEM).')
      .meta({ examples: ['client.key'] }),
    server_name: z
      .string()
      .min(1)
      .optional()
      .describe('Expected name in the server certificate.')
      .meta({ examples: ['graph.example.org'] }),
    insecure_skip_verify: z
      .boolean()
      .prefault(false)
      .describe('Disables verification of the server certificate; for tests only.'),
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
  error: 'is not a label name: use letters, digits and underscores; the first character must not be a digit',
});

/** Rule of the server for names, which also makes them safe in a path. */
const graphName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, { error: 'is not a graph name' });

const graphs = z.union([z.literal('auto'), z.array(graphName).min(1)], {
  error: 'must be auto or a list of graph names',
});

const basic = z
  .strictObject({
    username: z
      .string()
      .min(1)
      .refine((text) => !text.includes(':'), { error: 'must not contain a colon' })
      .describe('User name for basic authentication.')
      .meta({ examples: ['monitor'] }),
    password: secretText
      .optional()
      .describe('Password, inline or from an environment variable.')
      .meta({ examples: [environmentReference('GRAPH_PASSWORD')] }),
    password_file: secretFile
      .optional()
      .describe('File with the password; reloaded when it changes and after a 401.')
      .meta({ examples: ['/run/secrets/password'] }),
  })
  .transform(({ username, password, password_file: file }, context): AuthSettings => {
    const source = secretSource(password, file);
    if (source !== undefined) return { kind: 'basic', username, password: source };
    context.issues.push({ code: 'custom', message: 'needs one of password and password_file', input: '' });
    return z.NEVER;
  });

const kinds = 'bearer_token_file, bearer_token, basic, secret_file or secret';

/** `read_auth`, `abort_auth` and `informant_auth`: exactly one method; omit the block for unauthenticated access. */
export const authSection = z
  .strictObject({
    bearer_token_file: secretFile
      .optional()
      .describe('File with a bearer token; reloaded when it changes and after a 401.')
      .meta({ examples: ['/run/secrets/token'] }),
    bearer_token: secretText
      .optional()
      .describe('Bearer token, inline or from an environment variable.')
      .meta({ examples: [environmentReference('GRAPH_TOKEN')] }),
    basic: basic.optional().describe('Basic authentication.'),
    secret_file: secretFile
      .optional()
      .describe('File with a secret that is exchanged for a token; the token is renewed before it expires.')
      .meta({ examples: ['/run/secrets/secret'] }),
    secret: secretText
      .optional()
      .describe('Secret that is exchanged for a token, inline or from an environment variable.')
      .meta({ examples: [environmentReference('GRAPH_SECRET')] }),
  })
  .transform((given, context): AuthSettings => {
    const token = secretSource(given.bearer_token, given.bearer_token_file);
    const secret = secretSource(given.secret, given.secret_file);
    if (Object.keys(given).length !== 1) {
      const message = `needs exactly one of ${kinds}`;
      context.issues.push({ code: 'custom', message, input: '' });
      return z.NEVER;
    }
    if (token !== undefined) return { kind: 'bearer', token };
    return secret === undefined ? (given.basic ?? { kind: 'none' }) : { kind: 'secret', secret };
  });

const statements = z.record(identifier, requestId).refine((given) => Object.keys(given).length <= maxStatements, {
  error: `must not have more than ${maxStatements} statements`,
});

/** One entry of `clusters`. The whole file is checked for `nodes` or `discover`, and for unique names. */
export const clusterSection = z
  .strictObject({
    name: identifier.describe('The `cluster_name` label.').meta({ examples: ['prod'] }),
    labels: z
      .record(labelName, z.string())
      .prefault({})
      .describe('Labels added to every series of this cluster.')
      .meta({ examples: [{ env: 'prod' }] }),
    nodes: z.array(nodeSection).min(1).optional().describe('All nodes, each with its own address; or use `discover`.'),
    discover: discoverSection.optional().describe('DNS discovery of nodes instead of `nodes`.'),
    read_auth: authSection.optional().describe('Credentials for read requests. Omit for unauthenticated access.'),
    abort_auth: authSection
      .optional()
      .describe('Credentials for abort requests only. If omitted while `read_auth` is set, policies can only observe.'),
    allow_plain_http: z
      .boolean()
      .prefault(false)
      .describe(
        'Allows `abort_auth` over plain HTTP to hosts other than loopback. Anyone who can read the network traffic gets these credentials, and so does a host that takes the place of a node and lists a query that a policy matches.',
      ),
    informant_auth: authSection
      .optional()
      .describe('Credentials for requests to the informant (`/informant/…`), which requires none by default.'),
    tls: tlsSection.optional().describe('TLS settings: server verification and client certificate.'),
    graphs: graphs.prefault('auto').describe('`auto` discovers the graphs; a list restricts polling to these graphs.'),
    statements: statements
      .optional()
      .describe(
        'Asynchronous GSQL statements that the collector `statements` polls, as a map from names to request ids.',
      )
      .meta({ examples: [{ nightly_export: '00000000001.1234' }] }),
    statements_file: fileName
      .optional()
      .describe(
        'File with further statements: one name and request id per line, separated by whitespace; `#` starts a comment. Reloaded when it changes.',
      )
      .meta({ examples: ['statements.txt'] }),
    server_version: z
      .string()
      .regex(/^(auto|\d+\.\d+(\.\d+)?)$/, { error: 'must be auto or a version such as "4.1"' })
      .prefault('auto')
      .describe('Server version in quotes, which selects the API paths; `auto` detects it.')
      .meta({ examples: ['4.1'] }),
    metric_prefix: z
      .string()
      .regex(/^(auto|[A-Za-z_:][A-Za-z0-9_:]*_)$/, { error: 'must be auto or a prefix that ends in an underscore' })
      .prefault('auto')
      .describe("Prefix of the server's native metrics, with its trailing underscore; `auto` detects it.")
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
  readonly informant_auth?: ClusterSettings['informantAuth'] | undefined;
  readonly tls?: TlsSettings | undefined;
  readonly graphs: ClusterSettings['graphs'];
  readonly statements?: ClusterSettings['statements'];
  readonly statements_file?: string | undefined;
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
    informantAuth: given.informant_auth ?? { kind: 'none' },
    ...(given.tls === undefined ? {} : { tls: given.tls }),
    graphs: given.graphs,
    ...(given.statements === undefined ? {} : { statements: given.statements }),
    ...(given.statements_file === undefined ? {} : { statementsFile: given.statements_file }),
    serverVersion: given.server_version,
    metricPrefix: given.metric_prefix,
  };
}
