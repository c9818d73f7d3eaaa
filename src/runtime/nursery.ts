import { setFlagsFromString } from 'node:v8';

/**
 * Stops the space for new objects from growing. One page of 100,000 series that is read for the first time lets it
 * grow to 64 MB, which it then keeps although later readings leave next to nothing behind. It cannot be a flag of
 * the command line: there, V8 overrides it.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
