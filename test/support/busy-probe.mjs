/**
 * Preloaded into a daemon: writes to standard output for how many ms of processor time the main thread was busy between two
 * runs of a timer, if it was long. Unlike the time on a clock, it does not grow while other processes run. JavaScript, so
 * that no compiler is needed in the measured process.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const reportedFrom = 30;
let last = process.threadCpuUsage();

function look() {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  const busy = (user + system) / 1000;
  if (busy >= reportedFrom) writeSync(1, `busy ${busy.toFixed(0)}\n`);
}

if (isMainThread) setInterval(look, 5).unref();
