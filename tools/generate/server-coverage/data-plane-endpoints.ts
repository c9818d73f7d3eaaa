import { called, changing, type EndpointGroup, uncalled } from './endpoint-group.ts';

const stored = 'returns data of users, and no probe needs it';
const findsGraphs = 'used to find the graphs if the GSQL server does not return them';
const sendsGet = 'the client sends the GET form';
const sendsPost = 'the client sends the POST form';
const heartbeat = '/restpp/graph/{graph_name}/vertices/graphwarden_heartbeat/{vertex_id}';
const edges = '/restpp/graph/{graph_name}/edges/{source_vertex_type}/{source_vertex_id}';
const targets = `${edges}/{edge_type}/{target_vertex_type}`;

/** Endpoints of the data plane and of monitoring, by system. */
export const dataPlaneEndpoints: readonly EndpointGroup[] = [
  called('liveness', 'ping', 'GET /api/ping'),
  called('liveness', 'echo', 'GET /restpp/echo'),
  called('liveness', 'restppVersion', 'GET /restpp/version'),
  uncalled('liveness', sendsGet, 'POST /restpp/echo'),
  { ...called('endpoints', 'endpoints', 'GET /restpp/endpoints/{graph_name}'), use: findsGraphs },
  called('metrics', 'informantMetrics', 'GET /informant/metrics'),
  uncalled('metrics', sendsGet, 'POST /informant/metrics'),
  called('metrics', 'category', 'POST /informant/metrics/get/{metrics_category}'),
  called('metrics', 'statistics', 'GET /restpp/statistics/{graph_name}'),
  {
    ...called('metrics', 'dataPoints', 'GET /ts3/api/datapoints'),
    use: 'used to measure processors and memory of services (`categories`) where the informant has no categories; the form of other data points is not documented',
  },
  called('services', 'serviceStatus', 'POST /informant/current-service-status'),
  called('consistency', 'dataConsistency', 'GET /restpp/data_consistency_check'),
  called('consistency', 'deletedVertices', 'GET /restpp/deleted_vertex_check'),
  {
    ...called('engine', 'rebuildGraph', 'POST /restpp/rebuildnow/{graph_name}'),
    use: 'used to rebuild graphs by schedule, if the collector `rebuild` is enabled, with the default parameters of the server',
    changes: true,
  },
  { ...changing('engine', 'GET /restpp/rebuildnow/{graph_name}'), use: `never called: ${sendsPost}` },
  called('graph sizes', 'graphSize', 'POST /restpp/builtins/{graph_name}'),
  called('schema', 'graphSchema', 'GET /gsql/v1/schema'),
  {
    ...called('loading', 'loadHeartbeat', 'POST /restpp/ddl/{graph_name}'),
    use: 'with the loading job `graphwarden_heartbeat` only; the client cannot express another job',
    changes: true,
  },
  called('loading', 'readHeartbeat', `GET ${heartbeat}`),
  { ...called('loading', 'deleteHeartbeat', `DELETE ${heartbeat}`), use: 'of this vertex type only', changes: true },
  changing('loading', 'POST /restpp/graph/{graph_name}'),
  uncalled(
    'vertices and edges',
    stored,
    'GET /restpp/graph/{graph_name}/vertices/{vertex_type}',
    `GET ${targets}/{target_vertex_id}/{discriminator}`,
  ),
  called('vertices and edges', 'vertex', 'GET /restpp/graph/{graph_name}/vertices/{vertex_type}/{vertex_id}'),
  called('vertices and edges', 'edges', `GET ${edges}`),
  called('vertices and edges', 'edgesOfType', `GET ${edges}/{edge_type}`),
  called('vertices and edges', 'edgesToType', `GET ${targets}`),
  called('vertices and edges', 'edgesToVertex', `GET ${targets}/{target_vertex_id}`),
  called('vertices and edges', 'shortestPath', 'POST /restpp/shortestpath/{graph_name}'),
  called('vertices and edges', 'allPaths', 'POST /restpp/allpaths/{graph_name}'),
  changing(
    'vertices and edges',
    'DELETE /restpp/graph/{graph_name}/vertices/{vertex_type}',
    'DELETE /restpp/graph/{graph_name}/vertices/{vertex_type}/{vertex_id}',
    'DELETE /restpp/graph/{graph_name}/delete_by_type/vertices/{vertex_type}',
    `DELETE ${edges}/{edge_type}`,
    `DELETE ${targets}`,
    `DELETE ${targets}/{target_vertex_id}`,
    `DELETE ${targets}/{target_vertex_id}/{discriminator}`,
  ),
  {
    ...called('queries', 'runQuery', 'GET /restpp/query/{graph_name}/{query_name}'),
    use: 'used to run the installed queries of `custom`',
  },
  called('queries', 'postQuery', 'POST /restpp/query/{graph_name}/{query_name}'),
  called('running queries', 'processList', 'GET /restpp/showprocesslist/{graph_name}'),
  called('running queries', 'processListAll', 'GET /restpp/showprocesslistall'),
  called('running queries', 'delayedList', 'GET /restpp/showdelayedlistall'),
  {
    ...changing('running queries', 'GET /restpp/abortquery/{graph_name}'),
    use: 'used by the guard and by `graphwarden abort`, for one request id in each request; no other part of the client can express it',
  },
  called('running queries', 'queryStatus', 'GET /restpp/query_status'),
  uncalled('running queries', stored, 'GET /restpp/query_result'),
  {
    ...called('tokens and secrets', 'requestToken', 'POST /requesttoken'),
    use: 'used to get a token from versions before 4.0',
  },
  {
    ...changing('tokens and secrets', 'DELETE /requesttoken'),
    use: 'used to drop the token that graphwarden was issued, when the connection to the cluster closes; no other token can be expressed',
  },
  {
    ...changing('tokens and secrets', 'PUT /requesttoken'),
    use: 'never called: refreshes a token; graphwarden requests a new one before the old one expires',
  },
  called('workload queues', 'queueStatus', 'POST /restpp/workload-manager/queuestatus'),
  called('vector indexes', 'vectorStatus', 'GET /restpp/vector/status/{graph_name}'),
  called('license', 'license', 'GET /restpp/showlicenseinfo'),
];
