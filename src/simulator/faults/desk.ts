import type { FaultName } from './names.ts';

/** Where a fault strikes. What is left out means everywhere. */
export interface FaultPlace {
  readonly node?: string;
  /** The path as requested: exactly this text, or whatever the pattern finds. */
  readonly path?: string | RegExp;
}

interface Injected extends FaultPlace {
  readonly fault: FaultName;
}

/** Knows which faults are on: those that somebody injected, the latest first, then that of the scenario. */
export class FaultDesk {
  readonly #scripted: () => FaultName | undefined;
  #injected: readonly Injected[] = [];

  /** `scripted` tells the fault of the scenario at this moment, which strikes everywhere. */
  constructor(scripted: () => FaultName | undefined) {
    this.#scripted = scripted;
  }

  /** Turns a fault on; the answer turns it off, once. */
  inject(fault: FaultName, place: FaultPlace): () => void {
    const injected: Injected = { ...place, fault };
    this.#injected = [injected, ...this.#injected];
    return () => {
      this.#injected = this.#injected.filter((other) => other !== injected);
    };
  }

  /** The faults that strike a request, the one to apply first. */
  striking(node: string, path: string): readonly FaultName[] {
    const scripted = this.#scripted();
    const injected = this.#injected.filter((one) => strikes(one, node, path)).map(({ fault }) => fault);
    return scripted === undefined ? injected : [...injected, scripted];
  }

  /** Whether a whole node suffers from `fault`, whatever path was given. */
  suffers(node: string, fault: FaultName): boolean {
    return (
      this.#scripted() === fault ||
      this.#injected.some((one) => one.fault === fault && (one.node === undefined || one.node === node))
    );
  }
}

function strikes({ node, path }: Injected, asked: string, askedPath: string): boolean {
  if (node !== undefined && node !== asked) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? path === askedPath : path.test(askedPath);
}
