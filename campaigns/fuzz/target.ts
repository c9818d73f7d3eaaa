/** Result of a run of one input. */
export interface FuzzResult {
  /** Short description; an input with a new description becomes a seed of further inputs. */
  readonly outcome: string;
  /** Counts for the report, by name. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** An open target: processes inputs one after the other. */
export interface FuzzRunner {
  /** Processes one input; rejects if an oracle is violated. Each character of the input is one byte. */
  run(input: string): Promise<FuzzResult>;
  close?(): Promise<void>;
}

/** Part of the program that processes external input. */
export interface FuzzTarget {
  readonly name: string;
  readonly about: string;
  /** Inputs to begin with; each character is one byte. */
  seeds(): readonly string[];
  open(): Promise<FuzzRunner>;
}

/** Returns the bytes of an input. */
export function toBytes(input: string): Buffer {
  return Buffer.from(input, 'latin1');
}
