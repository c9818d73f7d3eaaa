import { setFlagsFromString } from 'node:v8';

/**
 * Fits V8's heap to a process that keeps much and makes little anew. Called before anything else; it cannot be done by
 * flags of the command line, because a bundle has none and V8 overrides the first of these there.
 */
export function fitHeap(): void {
  // One page of 100,000 series that is read for the first time would let the space for new objects grow to 64 MB,
  // which it keeps although later readings leave next to nothing behind.
  setFlagsFromString('--semi-space-growth-factor=1');
  // The bodies that come over the network count against a limit a tenth above the heap in use: with the default, each
  // large answer has the whole heap looked through, which costs as much as reading the answer.
  setFlagsFromString('--heap-growing-percent=100');
}
