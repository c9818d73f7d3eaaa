/** Thread for work that must neither block the event loop nor exceed a memory limit. */
export interface BoundedWorker {
  /**
   * Runs one request after another; request and reply are plain data, and `transfer` moves memory to the thread. Resolves
   * to undefined if the work fails, takes too long or needs too much memory, or if `signal` aborts first. Never rejects.
   */
  ask(question: unknown, transfer: readonly ArrayBuffer[], signal: AbortSignal): Promise<unknown>;
}
