import type { QueryIdentity } from '../model/query.ts';
import { isGraphName } from './graph-name.ts';

/** First segments of the built-in calls whose second segment is a graph. */
const ofGraph: ReadonlySet<string> = new Set([
  'allpaths',
  'builtins',
  'ddl',
  'delta_ddl',
  'endpoints',
  'graph',
  'rebuildnow',
  'shortestpath',
  'showprocesslist',
  'statistics',
]);

/**
 * What a url of a process list says once its parameters, which hold users' data, are cut off. Installed
 * queries keep their name; everything else is known by its kind, so that the values stay few.
 */
export function queryIdentity(url: string): QueryIdentity {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', second = '', third = ''] = parts[0] === 'restpp' ? parts.slice(1) : parts;
  if (first === 'query' && isGraphName(second) && isGraphName(third)) {
    return { graph: second, query: third, kind: 'installed' };
  }
  if (/(^|\/)interpret/.test(path)) return { graph: '', query: 'interpreted', kind: 'interpreted' };
  const graph = ofGraph.has(first) && isGraphName(second) ? second : '';
  return { graph, query: /^[\w.-]{1,64}$/.test(first) ? first : 'other', kind: 'builtin' };
}
