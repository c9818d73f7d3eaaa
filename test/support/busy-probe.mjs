/**
 * Preloaded into a daemon. If the main thread was busy for long between two runs of a timer, writes its processor time in ms
 * to standard output: unlike the time of a clock, it does not grow while other processes run. It is JavaScript, so that the
 * measured process needs no compiler.
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
