import type { FaultName } from './names.ts';

/** Target of a fault. An absent field matches everything. */
export interface FaultTarget {
  readonly node?: string;
  /** The path as requested: exactly this text, or whatever the pattern finds. */
  readonly path?: string | RegExp;
}

interface InjectedFault extends FaultTarget {
  readonly fault: FaultName;
}

/** Active faults: the injected faults, latest first, then the fault of the scenario. */
export class FaultInjector {
  readonly #scenarioFault: () => FaultName | undefined;
  #injected: readonly InjectedFault[] = [];

  /** `scripted` returns the current fault of the scenario, which applies to all targets. */
  constructor(scripted: () => FaultName | undefined) {
    this.#scenarioFault = scripted;
  }

  /** Turns a fault on; the answer turns it off, once. */
  inject(fault: FaultName, place: FaultTarget): () => void {
    const injected: InjectedFault = { ...place, fault };
    this.#injected = [injected, ...this.#injected];
    return () => {
      this.#injected = this.#injected.filter((other) => other !== injected);
    };
  }

  /** The faults that strike a request, the one to apply first. */
  faultsFor(node: string, path: string): readonly FaultName[] {
    const scripted = this.#scenarioFault();
    const injected = this.#injected.filter((one) => matchesTarget(one, node, path)).map(({ fault }) => fault);
    return scripted === undefined ? injected : [...injected, scripted];
  }

  /** Whether a whole node suffers from `fault`, whatever path was given. */
  affectsNode(node: string, fault: FaultName): boolean {
    return (
      this.#scenarioFault() === fault ||
      this.#injected.some((one) => one.fault === fault && (one.node === undefined || one.node === node))
    );
  }
}

function matchesTarget({ node, path }: InjectedFault, asked: string, askedPath: string): boolean {
  if (node !== undefined && node !== asked) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? path === askedPath : path.test(askedPath);
}
