import type { StaticReply, StaticRoutes } from './static-server.ts';

const categories = ['cpu-memory', 'diskspace', 'network', 'qps'];

/**
 * Routes of a server with one graph and no load, with the paths of its release. Requests for data that it lacks, such as the
 * metrics page and the license, get 404.
 */
export function idleRoutes(release: '3.9' | '4.1'): StaticRoutes {
  const [restpp, gsql] = release === '3.9' ? ['', '/gsqlserver/gsql'] : ['/restpp', '/gsql/v1'];
  return {
    'GET /api/ping': json({ error: false, message: 'pong', results: null }),
    [`GET ${restpp}/echo`]: json({ error: false, message: 'Hello GSQL' }),
    [`GET ${gsql}/version`]: { body: 'GSQL version: 4.1.2\nGSQL commit number: 0a0b0c0d\n' },
    [`GET ${gsql}/schema/graphs`]: json({ graphs: [{ graphName: 'fraud' }], error: false, message: '' }),
    ...Object.fromEntries(['fraud', 'social'].map((graph) => [`GET ${restpp}/statistics/${graph}`, json({})])),
    [`GET ${restpp}/showprocesslistall`]: envelope({ results: [] }),
    [`GET ${restpp}/showdelayedlistall`]: envelope({ results: [] }),
    [`POST ${restpp}/workload-manager/queuestatus`]: envelope({ WorkloadQueueStatusByInstances: [] }),
    [`GET ${restpp}/data_consistency_check`]: envelope({ results: {} }),
    [`GET ${restpp}/deleted_vertex_check`]: envelope({ results: [] }),
    'POST /informant/current-service-status': json({}),
    ...Object.fromEntries(categories.map((category) => [`POST /informant/metrics/get/${category}`, json({})])),
  };
}

function json(value: unknown): StaticReply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function envelope(content: Readonly<Record<string, unknown>>): StaticReply {
  return json({ error: false, message: '', code: 'REST-0000', ...content });
}
