import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of all threads of a process so far in ms, from `schedstat`, which counts nanoseconds. */
export function cpuMillis(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + threadsMillis(one), 0);
}

/** Returns the peak resident memory of a process in MiB. */
export function peakMebibytes(pid: number): number {
  return statusField(pid, 'VmHWM') / 1024;
}

/** Returns the current resident memory of a process in MiB. */
export function residentMebibytes(pid: number): number {
  return statusField(pid, 'VmRSS') / 1024;
}

function threadsMillis(pid: number): number {
  return threadsOf(pid).reduce((sum, thread) => {
    const [nanoseconds = '0'] = readIfAlive(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

/** Returns the threads of a process; none if it has ended since it was listed, as a session of a database may have. */
function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder) : [];
}

function readIfAlive(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '0';
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function statusField(pid: number, name: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  return Number(line?.split(/\s+/)[1] ?? 0);
}
