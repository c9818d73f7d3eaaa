/** Thread for work that must neither block the event loop nor exceed a memory limit. */
export interface BoundedWorker {
  /**
   * Runs one request after another; request and reply are plain data, and the memory of the views in `moved` is moved to
   * the thread. Resolves to undefined if the work fails, takes too long or needs too much memory, or if `signal` aborts first, which ends the
   * work and frees its memory. Never rejects.
   */
  run(request: unknown, moved: readonly Uint8Array[], signal: AbortSignal): Promise<unknown>;
}

/** Threads that parse long replies. Each starts on its first use. */
export interface ReplyWorkers {
  readonly collectors: BoundedWorker;
  /** For the process lists of guarded nodes, which do not wait for other replies. */
  readonly guard: BoundedWorker;
}

/** Result of work in a thread; `memory` is moved to the caller instead of copied. */
export class Moved {
  readonly value: unknown;
  readonly memory: readonly ArrayBuffer[];

  constructor(value: unknown, memory: readonly ArrayBuffer[]) {
    this.value = value;
    this.memory = memory;
  }
}
