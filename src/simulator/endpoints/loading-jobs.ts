import type { Endpoint } from '../call.ts';
import { gsqlError, json } from '../replies.ts';
import type { SimulatedLoading } from '../world/loading-jobs.ts';

/**
 * `GET /gsql/v1/loading-jobs/status?graph=…[&jobIds=…]`, and its form before 4.0. The record is the documented one, and
 * the word for the state is one that servers return; that all runs are returned without ids is assumed.
 */
export const loadingStatus: Endpoint = ({ world, node, query }) => {
  const graph = query.get('graph') ?? '';
  if (!world.graphs.includes(graph)) return gsqlError(404, `Graph '${graph}' does not exist.`);
  const wanted = [...query.getAll('jobIds'), ...query.getAll('jobId')];
  const records = world.loadingJobs().map((run) => loadingRecord(run, graph, world.clockOffset(node.host)));
  const results = records.filter(({ overall }) => wanted.length === 0 || wanted.includes(overall.id));
  return json({ error: false, message: '', results });
};

/** The form before 4.0 has one path for several actions; the others change the server. */
export const loadingProgress: Endpoint = (call) =>
  call.query.get('action') === 'getprogress' ? loadingStatus(call) : gsqlError(400, 'The action is unknown.');

/** A server omits counters that are 0. */
function loadingRecord(run: SimulatedLoading, graph: string, clockOffset: number) {
  const { name, source, status, progress, speed, valid, rejected } = run;
  const [startTime, endTime] = [Math.floor(run.startedAt + clockOffset), Math.floor(run.endedAt + clockOffset)];
  const passed = Math.max(1, (run.endedAt - run.startedAt) / 1000);
  const overall = {
    id: `${graph}.${name}.${source}.all.${startTime}`,
    status,
    progress,
    startTime,
    endTime,
    duration: endTime - startTime,
    size: (valid + rejected) * 80,
    averageSpeed: Math.floor((valid + rejected) / passed),
    ...(speed > 0 && { currentSpeed: speed }),
    statistics: {
      fileLevel: { validLine: valid, ...(rejected > 0 && { notEnoughToken: rejected }) },
      objectLevel: { vertex: [{ typeName: 'Account', validObject: valid }] },
    },
  };
  return { overall, workers: [{ tasks: [{ filename: `${name}.csv` }] }] };
}
