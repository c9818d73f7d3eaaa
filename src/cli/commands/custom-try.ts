import { customCollector } from '../../collect/custom/custom-collector.ts';
import type { CustomQuery } from '../../collect/custom/custom-query.ts';
import type { Config } from '../../config/config.ts';
import { closestMatch } from '../../config/name-suggestions.ts';
import { createMetricsPage } from '../../expose/create-metrics-page.ts';
import type { SourceContent } from '../../expose/metrics-page.ts';
import { openCluster } from '../../graphdb/connect.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import { printableLines } from '../../kernel/visible-text.ts';
import type { ClusterSettings, NodeSettings } from '../../model/settings.ts';
import { type Command, type CommandInput, type ExitCode, exitCode, UsageError } from '../command.ts';
import { configFlag, selectCluster, withConfig } from '../config-option.ts';
import { resolveNodes } from '../doctor-checks.ts';
import type { CliPorts } from '../ports.ts';
import { printError } from '../print.ts';

/** Runs one query of `custom` without a daemon. */
export const customTry: Command = {
  flags: [
    configFlag,
    { name: 'cluster', value: 'NAME', about: 'cluster to run the query on (default: the first that runs it)' },
    { name: 'node', value: 'NAME', about: 'node to run the query on (default: the first that runs it)' },
  ],
  arguments: ['<NAME>'],
  details:
    'Prints the metrics as /metrics would show them. If the definition does not match the output of the query, the ' +
    'error names the path and the existing members. If the query prints a map, these names can be user data. Exit ' +
    'code 1 if the query or its definition fails.',
  examples: [
    'custom try --config graphwarden.yml degree_outliers',
    'custom try --config graphwarden.yml data_age --node m2',
  ],
  run: (given, ports) =>
    withConfig(given, ports, async (config) => {
      const query = selectQuery(config, given.arguments[0] ?? '');
      const cluster = clusterOf(config, query, given.flags.cluster);
      return await tryQuery({ config, query, cluster, node: given.flags.node }, ports);
    }),
};

interface Trial {
  readonly config: Config;
  readonly query: CustomQuery;
  readonly cluster: ClusterSettings;
  readonly node: CommandInput['flags'][string];
}

function selectQuery({ custom }: Config, name: string): CustomQuery {
  const found = custom.find((query) => query.name === name);
  if (found !== undefined) return found;
  const names = custom.map((query) => query.name);
  if (names.length === 0) throw new UsageError('no custom queries configured; add them to custom');
  const near = closestMatch(name, names);
  throw new UsageError(
    `unknown custom query '${name}': ${near === undefined ? `known queries: ${names.join(', ')}` : `did you mean '${near}'?`}`,
  );
}

function clusterOf(config: Config, { name, clusters }: CustomQuery, wanted: string | undefined): ClusterSettings {
  const first = config.clusters.find((one) => clusters?.includes(one.name) ?? true)?.name;
  const cluster = selectCluster(config, wanted ?? first);
  if (clusters?.includes(cluster.name) ?? true) return cluster;
  throw new UsageError(
    `the custom query '${name}' does not run on the cluster '${cluster.name}': clusters of the query: ${clusters?.join(', ')}`,
  );
}

async function tryQuery({ config, query, cluster, node }: Trial, ports: CliPorts): Promise<ExitCode> {
  const runtime = await ports.loadRuntime();
  const nodes = await resolveNodes(cluster, runtime);
  if (!nodes.ok) return printError(nodes.error, ports);
  const settings = selectNode(nodes.value, query, node);
  const connection = openCluster(cluster, { bodyLimit: config.limits.body }, { ...ports, ...runtime });
  const { db } = connection.node(settings);
  const collector = customCollector(query, { names: true });
  const started = ports.clock.now();
  const result = await withDeadline(ports.clock, query.polling.timeout, (signal) => collector.poll(db, signal));
  const ended = ports.clock.now();
  await connection.close();
  if (!result.ok) return printError(`${cluster.name}/${settings.name}: ${result.error.message}`, ports);
  const labels = { cluster_name: cluster.name, ...cluster.labels, ...(query.nodes === 'one' ? {} : { node: db.node }) };
  const samples = [...collector.samples(result.value, ended)];
  ports.stdout.write(printableLines(await pageText({ labels, samples }, config, ports)));
  ports.stderr.write(
    `${samples.length} series from ${cluster.name}/${settings.name} in ${Math.round(ended.mono - started.mono)} ms\n`,
  );
  return exitCode.ok;
}

function selectNode(
  nodes: readonly NodeSettings[],
  { name, nodes: own }: CustomQuery,
  wanted: string | undefined,
): NodeSettings {
  const allowed = typeof own === 'string' ? nodes : nodes.filter((node) => own.includes(node.name));
  const node = wanted === undefined ? allowed[0] : allowed.find((one) => one.name === wanted);
  if (node !== undefined) return node;
  const names = allowed.map((one) => one.name).join(', ');
  throw new UsageError(
    `the custom query '${name}' does not run on the node '${wanted ?? ''}': nodes of the query: ${names}`,
  );
}

/** Returns the metrics in the text format, with the limits of the configuration. */
async function pageText(content: SourceContent, { limits }: Config, { clock }: CliPorts): Promise<string> {
  const page = createMetricsPage(limits, clock);
  await page.put('custom', content);
  const { pieces, release } = await page.body('text', 'identity', '');
  const decoder = new TextDecoder();
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  release();
  return text;
}
