/** Memory budget for the long replies of all servers, shared by all connection pools of the process. */
export interface ReplyMemory {
  /**
   * Sets the memory that the process may use, in bytes, of which the budget is a part; undefined for the limit of its
   * cgroup, or the memory of the host.
   */
  limitProcess(bytes: number | undefined): void;
}

/** Frees the memory of a view now instead of at the next garbage collection; nothing may use it afterwards. */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
