import { ok, type Result } from '../kernel/result.ts';
import { UsageError } from './command.ts';
import type { DaemonApi } from './daemon-api.ts';

/** Path of the guard in the HTTP API. */
export const guardPath = '/api/v1/guard';

/** Path of one query in the HTTP API; `target` is CLUSTER/NODE. */
export function queryPath(target: string, id: string): string {
  const [cluster = '', node = '', ...rest] = target.split('/');
  if (cluster === '' || node === '' || rest.length > 0)
    throw new UsageError(`'${target}' is not CLUSTER/NODE, such as prod/m2`);
  const [inCluster, onNode, query] = [cluster, node, id].map(encodeURIComponent);
  return `/api/v1/clusters/${inCluster}/nodes/${onNode}/queries/${query}`;
}

/** Requests an action of the guard and returns `done`, the text for its success. */
export async function postGuardAction(
  api: DaemonApi,
  action: { readonly path: string; readonly body?: unknown },
  done: string,
): Promise<Result<string, string>> {
  const { path, body } = action;
  const call = { method: 'POST', path: `${guardPath}/${path}` } as const;
  const answer = await api.call(body === undefined ? call : { ...call, body });
  return answer.ok ? ok(done) : answer;
}
