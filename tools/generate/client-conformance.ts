import { type GeneratedFile, generatedNotice, table } from './generated-file.ts';

/** Calls of pyTigerGraph that the simulated server answers, with the endpoint of each. */
export const coveredCalls: Readonly<Record<string, string>> = {
  abortQuery: '`GET /restpp/abortquery/{graph}`',
  checkQueryStatus: '`GET /restpp/query_status`',
  echo: '`GET`, `POST /restpp/echo/`',
  getEndpoints: '`GET /restpp/endpoints/{graph}`',
  getInstalledQueries: '`GET /restpp/endpoints/{graph}`',
  getLicenseInfo: '`GET /restpp/showlicenseinfo`',
  getQueryPerformance: '`GET /restpp/statistics/{graph}`',
  getQueryResult: '`GET /restpp/query_result`',
  getRunningQueries: '`GET /restpp/showprocesslist/{graph}`',
  getServiceStatus: '`POST /informant/current-service-status`',
  getSystemMetrics: '`POST /informant/metrics/get/{category}`',
  getToken: '`POST /gsql/v1/tokens`',
  getVer: '`GET /restpp/version`',
  getVersion: '`GET /restpp/version`',
  listGraphs: '`GET /gsql/v1/schema/graphs`',
  listQueryNames: '`GET /gsql/v1/queries`',
  ping: '`GET /api/ping`',
  runInstalledQuery: '`GET`, `POST /restpp/query/{graph}/{query}`',
};

/** All other public calls, by the reason why they are not covered. */
export const uncoveredCalls: Readonly<Record<string, string>> = {
  'pyTigerGraph 2.0.5 calls one of its own functions with a wrong number of arguments': 'getStatistics',
  'pyTigerGraph parses the plain text of the server as JSON': 'getGSQLVersion',
  'sends no request':
    'close customizeHeader edgeSetToDataFrame getReservedKeywords isReservedKeyword parseQueryOutput start_mcp_server useGlobal useGraph vertexSetToDataFrame',
  'the simulator does not check, renew or revoke tokens on request': 'checkJwtToken deleteToken refreshToken',
  'the simulator has no users or secrets that a client can edit': 'createSecret dropSecret getSecrets',
  'the simulator has no engine to rebuild': 'rebuildGraph',
  'the simulator has no vertices, edges or vectors':
    'allPaths delEdges delVertices delVerticesById delVerticesByType getEdgeCount getEdgeCountFrom getEdgeStats getEdges getEdgesByType getEdgesDataFrame getEdgesDataframe getVectorIndexStatus getVectorStatus getVertexCount getVertexDataFrame getVertexDataFrameById getVertexDataframe getVertexDataframeById getVertexStats getVertices getVerticesById ingestDataset shortestPath upsertData upsertEdge upsertEdgeDataFrame upsertEdges upsertVertex upsertVertexDataFrame upsertVertices',
  'the simulator has no schema, only graph names':
    'addGlobalVerticesToGraph createGlobalVertices createGlobalVerticesJson createGraph createSchemaChangeJob dropGraph dropSchemaChangeJobs dropVertices getDiscriminators getEdgeAttrs getEdgeSourceVertexType getEdgeTargetVertexType getEdgeType getEdgeTypes getReverseEdge getSchema getSchemaChangeJobs getSchemaVer getUDT getUDTs getVertexAttrs getVertexType getVertexTypes getVertexVectors isDirected isMultiEdge runSchemaChange runSchemaChangeJob validateGraphSchema',
  'the simulator has no loading jobs or data sources':
    'abortLoadingJob abortLoadingJobs createDataSource createLoadingJob dropAllDataSources dropDataSource dropLoadingJob getDataSource getDataSources getLoadingJobInfo getLoadingJobStatus getLoadingJobs getLoadingJobsStatus previewSampleData resumeLoadingJob runLoadingJob runLoadingJobWithData runLoadingJobWithDataFrame runLoadingJobWithFile updateDataSource updateLoadingJob uploadFile',
  'the installed queries of the simulator have no query text':
    'checkQuerySemantic createQuery describeQuery dropQueries dropQueryDescription getQueryContent getQueryDescription getQueryInfo getQueryInstallationStatus getQueryMetadata installQueries runInterpretedQuery showQuery updateQueryDescription',
  'the simulator has no GSQL shell':
    'cancelAsyncRequest check_exist_graphs clearGraphStore dropAll exportDatabase getAsyncRequestStatus getUDF gsql importDatabase installUDF recoverCatalog',
};

/** Returns the table of calls of the vendor's Python client. */
export function clientConformance(): GeneratedFile {
  const covered = Object.entries(coveredCalls).map(([name, endpoint]) => [`\`${name}\``, endpoint]);
  const uncovered = Object.entries(uncoveredCalls).flatMap(([reason, names]) =>
    names.split(' ').map((name) => [`\`${name}\``, reason]),
  );
  const text = `# Conformance of the simulator

${generatedNotice}

The tests of graphwarden use a simulated server. \`test/e2e/pytigergraph.test.ts\` checks that pyTigerGraph, the Python client of the
database, accepts the replies of the simulated server. The test sends each covered call to the simulated releases 4.1, 4.3 and 3.9, with and
without credentials. The test fails if pyTigerGraph has a call that neither of the following tables contains.

## Covered calls

${table(['call', 'endpoint'], covered)}

## Calls that are not covered

${table(
  ['call', 'reason'],
  uncovered.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
)}
`;
  return { path: 'docs/conformance.md', text };
}
