import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Reply } from '../replies.ts';

/** Faults of the simulated server, in the order of the scenario `bad_server`. */
export const faultNames = [
  'connection_refused',
  'reset_mid_body',
  'hang_before_headers',
  'hang_before_body',
  'hang_within_body',
  'slow_drip',
  'truncated_json',
  'invalid_json',
  'html_200',
  'html_502',
  'status_401',
  'status_403',
  'status_404',
  'status_408',
  'status_422',
  'status_429',
  'status_500',
  'status_503',
  'status_504',
  'error_true_200',
  'empty_body',
  'wrong_content_type',
  'invalid_utf8',
  'body_100mb',
  'gzip_bomb',
  'redirect_loop',
  'redirect_elsewhere',
  'duplicate_families',
  'conflicting_families',
  'nan_values',
  'memory_unlimited',
  'cpu_over_100',
  'hostile_labels',
  'entries_100k',
  'clock_skew',
] as const;

/** One of {@link faultNames}. */
export type FaultName = (typeof faultNames)[number];

/** Input of a fault: the healthy response, and the means to change it. */
export interface FaultContext {
  /** Healthy response. */
  readonly reply: Reply;
  /** Requested path. */
  readonly path: string;
  /** URL of another node, for redirects that a client must not follow. */
  readonly otherNodeUrl: string;
  readonly clock: Clock;
  /** Aborts when the client disconnects. A hanging response lasts until then. */
  readonly disconnected: AbortSignal;
}

/** Changes a response. */
export type FaultEffect = (context: FaultContext) => OutgoingReply | Promise<OutgoingReply>;

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Target of a fault. An absent field matches everything. */
export interface FaultTarget {
  readonly node?: string;
  /** Requested path: exactly this text, or any path that the pattern matches. */
  readonly path?: string | RegExp;
}

interface InjectedFault extends FaultTarget {
  readonly fault: FaultName;
}

/** Active faults: the injected faults, latest first, then the fault of the scenario. */
export class FaultInjector {
  readonly #scenarioFault: () => FaultName | undefined;
  #injected: readonly InjectedFault[] = [];

  /** `scenarioFault` returns the current fault of the scenario, which applies to all targets. */
  constructor(scenarioFault: () => FaultName | undefined) {
    this.#scenarioFault = scenarioFault;
  }

  /** Activates a fault; the returned function deactivates it. */
  inject(fault: FaultName, target: FaultTarget): () => void {
    const injected: InjectedFault = { ...target, fault };
    this.#injected = [injected, ...this.#injected];
    return () => {
      this.#injected = this.#injected.filter((other) => other !== injected);
    };
  }

  /** Returns the faults that apply to a request, in the order of precedence: only the first one takes effect. */
  faultsFor(node: string, path: string): readonly FaultName[] {
    const scripted = this.#scenarioFault();
    const injected = this.#injected.filter((one) => matchesTarget(one, node, path)).map(({ fault }) => fault);
    return scripted === undefined ? injected : [...injected, scripted];
  }

  /** Whether a fault is active for a node, for any path. */
  affectsNode(node: string, fault: FaultName): boolean {
    return (
      this.#scenarioFault() === fault ||
      this.#injected.some((one) => one.fault === fault && (one.node === undefined || one.node === node))
    );
  }
}

function matchesTarget({ node, path }: InjectedFault, requestedNode: string, requestedPath: string): boolean {
  if (node !== undefined && node !== requestedNode) return false;
  if (path === undefined) return true;
  return typeof path === 'string' ? path === requestedPath : path.test(requestedPath);
}
