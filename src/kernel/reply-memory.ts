/** Share of the process memory that one reply may use. */
export const shareOfReply = 1 / 16;

/** Maximum assumed memory of a process without a configured limit, in bytes. More would not speed up polls, because one page is parsed at a time. */
export const maxDefaultMemory = 2 ** 30;

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

/** Size from which the C library maps memory for each allocation, and returns it to the system as soon as it is freed. */
const mappedSize = 32 * 1_048_576 + 1;

/**
 * Allocates memory of at least `bytes` bytes. The system provides a page on its first use, so unused pages cost nothing.
 * After smaller allocations, the C library would keep up to 64 MiB of freed memory in each thread.
 */
export function mappedMemory(bytes: number): ArrayBuffer {
  return new ArrayBuffer(Math.max(bytes, mappedSize));
}
