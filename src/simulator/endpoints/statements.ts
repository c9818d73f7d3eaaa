import type { Endpoint } from '../call.ts';
import { gsqlError, json } from '../replies.ts';
import { javaDate } from '../timestamps.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * `GET /gsql/v1/statements/{requestId}`: an export that ended, and a load that runs in the first half of each hour, and
 * fails while the input of loading jobs is bad. The documents show the word SUCCESS; the other words are assumed.
 */
export const statementStatus: Endpoint = ({ world, path }) => {
  const [ended, running] = [{ endTime: javaDate(world.now - minute) }, { endTime: '' }];
  if (path.requestId === 'export.1') return json({ ...ended, error: false, message: 'SUCCESS', results: 'Exported.' });
  if (path.requestId !== 'load.2') return gsqlError(404, 'The request id does not exist.');
  const isFailed = world.loadingJobs().some(({ status }) => status === 'FAILED');
  if (isFailed) return json({ ...ended, error: true, message: 'FAILED', results: 'The input is not readable.' });
  if (world.now % hour >= hour / 2) return json({ ...ended, error: false, message: 'SUCCESS', results: 'Loaded.' });
  return json({ ...running, error: false, message: 'RUNNING', results: '' });
};
