import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';

const schemaIsOff = 'the collector schema is disabled by default';
const functionsAreOff = 'the collector user_functions is disabled by default';
const sizesAreOff = 'the collector graph_sizes is disabled by default';
const loadingIsOff = 'the collector loading_jobs is disabled by default';
const most = 15;

/** What the server contains, and what changed. */
export const inventory = collapsedRow('Inventory', 12, [
  timeseries(
    'Endpoints',
    'Endpoints of the data plane by kind. The installation of a query adds dynamic endpoints.',
    query(`sum by (cluster_name, kind) (${deduplicated('graphdb_endpoints')})`, '{{cluster_name}} {{kind}}'),
    { emptyWhenHealthy: 'the collector endpoints is disabled by default' },
  ),
  timeseries('Graphs', 'Number of graphs.', query(deduplicated('graphdb_graphs'), '{{cluster_name}}'), {
    emptyWhenHealthy: schemaIsOff,
  }),
  timeseries(
    'Schema objects',
    'Vertex types, edge types, attributes, indexes and schema change jobs of each graph.',
    query(deduplicated('graphdb_schema_objects'), '{{cluster_name}} {{graph}} {{object}}'),
    { emptyWhenHealthy: schemaIsOff },
  ),
  timeseries(
    'Schema versions',
    'Version of the schema of each graph by node. Different lines of one graph mean that a node missed a change.',
    query(deduplicated('graphdb_schema_version'), '{{cluster_name}} {{graph}} {{node}}'),
    { emptyWhenHealthy: 'the collector schema_versions is disabled by default', rules: ['schema_versions_differ'] },
  ),
  timeseries(
    'Vertices',
    'Vertices of each graph. A sudden drop means that data was deleted or the store was cleared.',
    query(deduplicated('graphdb_graph_vertices'), '{{cluster_name}} {{graph}}'),
    { emptyWhenHealthy: sizesAreOff, rules: ['graph_shrunk'] },
  ),
  timeseries(
    'Edges',
    'Edges of each graph.',
    query(deduplicated('graphdb_graph_edges'), '{{cluster_name}} {{graph}}'),
    { emptyWhenHealthy: sizesAreOff },
  ),
  timeseries(
    'Vertices by type',
    `The ${most} types with the most vertices.`,
    query(`topk(${most}, ${deduplicated('graphdb_graph_type_vertices')})`, '{{cluster_name}} {{graph}} {{type}}'),
    { emptyWhenHealthy: sizesAreOff },
  ),
  timeseries(
    'Edges by type',
    `The ${most} types with the most edges.`,
    query(`topk(${most}, ${deduplicated('graphdb_graph_type_edges')})`, '{{cluster_name}} {{graph}} {{type}}'),
    { emptyWhenHealthy: sizesAreOff },
  ),
  timeseries(
    'Queries by state',
    'Definitions of queries by state. The server refuses to run invalid and disabled queries.',
    query(
      `sum by (cluster_name, graph, state) (${deduplicated('graphdb_query_definitions')}) > 0`,
      '{{cluster_name}} {{graph}} {{state}}',
    ),
    {
      emptyWhenHealthy: 'the collector query_definitions is disabled by default',
      rules: ['query_unusable', 'query_disappeared', 'query_installation_hanging'],
    },
  ),
  timeseries(
    'Loading jobs by state',
    'Loading jobs by the state of their latest run.',
    query(
      `sum by (cluster_name, graph, state) (${deduplicated('graphdb_loading_jobs')}) > 0`,
      '{{cluster_name}} {{graph}} {{state}}',
    ),
    { emptyWhenHealthy: loadingIsOff },
  ),
  timeseries(
    'Failed loading jobs',
    'Loading jobs whose latest run failed: 1 for a job that failed, 0 for the others.',
    query(deduplicated('graphdb_loading_jobs_failed'), '{{cluster_name}} {{graph}} {{loading_job}}'),
    { emptyWhenHealthy: loadingIsOff, rules: ['loading_job_failed'] },
  ),
  timeseries(
    'Progress of loading jobs',
    'Share of the input that the running loading jobs have read.',
    query(deduplicated('graphdb_loading_job_progress_ratio'), '{{cluster_name}} {{graph}} {{loading_job}}'),
    { unit: 'percentunit', emptyWhenHealthy: loadingIsOff },
  ),
  timeseries(
    'Age of loading jobs',
    'Time since the start of the running loading jobs.',
    query(deduplicated('graphdb_loading_job_age_seconds'), '{{cluster_name}} {{graph}} {{loading_job}}'),
    { unit: 's', emptyWhenHealthy: loadingIsOff },
  ),
  timeseries(
    'Speed of loading jobs',
    'Lines that the running loading jobs read in a second. A job that stays at 0 has stalled.',
    query(deduplicated('graphdb_loading_job_lines_per_second'), '{{cluster_name}} {{graph}} {{loading_job}}'),
    { emptyWhenHealthy: loadingIsOff, rules: ['loading_stalled'] },
  ),
  timeseries(
    'Rejected lines',
    'Lines that the latest run of each loading job rejected, by reason.',
    query(
      `${deduplicated('graphdb_loading_job_lines', 'result!~"valid|filtered"')} > 0`,
      '{{cluster_name}} {{graph}} {{loading_job}} {{result}}',
    ),
    { emptyWhenHealthy: 'no loading job rejected a line', rules: ['loading_rejects_lines'] },
  ),
  timeseries(
    'Data sources',
    'Data sources of loading jobs by type and scope.',
    query(deduplicated('graphdb_data_sources'), '{{cluster_name}} {{type}} {{scope}}'),
    { emptyWhenHealthy: 'the collector data_sources is disabled by default' },
  ),
  timeseries(
    'Vector indexes being rebuilt',
    'Engines that rebuild vector indexes of each graph; 0 means that the indexes are ready for queries.',
    query(deduplicated('graphdb_vector_index_rebuilding_engines'), '{{cluster_name}} {{graph}}'),
    { emptyWhenHealthy: 'the collector vector_indexes is disabled by default', rules: ['vector_indexes_not_ready'] },
  ),
  timeseries(
    'Library functions and tuples',
    'Number of library functions, and of user-defined tuples.',
    query(deduplicated('graphdb_functions'), '{{cluster_name}} {{kind}}'),
    { emptyWhenHealthy: functionsAreOff },
  ),
  timeseries(
    'Digests of user-defined code',
    'Number that is derived from the code that runs inside the engine. A step of the line means that the code changed; the value itself has no meaning.',
    query(deduplicated('graphdb_function_code_digest'), '{{cluster_name}} {{code}}'),
    { emptyWhenHealthy: functionsAreOff, rules: ['function_changed'] },
  ),
  timeseries(
    'Drift of the optimizer statistics',
    `Number of vertices or edges of each type divided by the number in the stored statistics; the ${most} types that differ most. 1 means that they are equal.`,
    query(
      `topk(${most}, ${deduplicated('graphdb_graph_type_vertices')} / ${deduplicated('graphdb_optimizer_type_vertices')} or ${deduplicated('graphdb_graph_type_edges')} / ${deduplicated('graphdb_optimizer_type_edges')})`,
      '{{cluster_name}} {{graph}} {{type}}',
    ),
    {
      emptyWhenHealthy: 'the collector optimizer_statistics is disabled by default',
      rules: ['optimizer_statistics_drifted'],
    },
  ),
  timeseries(
    'Asynchronous statements',
    'Statements of the configuration and of the statements file by state.',
    query(`${deduplicated('graphdb_statement_state')} == 1`, '{{cluster_name}} {{statement}} {{state}}'),
    {
      emptyWhenHealthy: 'the collector statements is disabled by default',
      rules: ['statement_failed', 'statement_hanging'],
    },
  ),
  timeseries(
    'Changes',
    'Objects that were added, removed or changed on the server. The log names each of them.',
    query(
      `sum by (cluster_name, object, change) (${increase('graphdb_inventory_changes_total')})`,
      '{{cluster_name}} {{object}} {{change}}',
    ),
    { emptyWhenHealthy: 'the collectors of the inventory are disabled by default' },
  ),
]);
