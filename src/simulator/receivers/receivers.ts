import type { Listen } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import type { SimulatedReceiverApi } from '../../model/simulated-receiver.ts';
import { BoundedLog } from '../call.ts';
import { ToggleListener } from '../toggle-listener.ts';
import type { ReceivedRequest } from './received-request.ts';
import { behaviorSequence, type ReceiverBehavior } from './receiver-behavior.ts';
import { behaviorPath, receiverHandler } from './receiver-handler.ts';

/** One receiver to simulate. */
export interface ReceiverOptions {
  /** Unique among the simulated receivers. */
  readonly name: string;
  /** One of the kinds in `apis`. */
  readonly kind: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Default: healthy. */
  readonly behavior?: ReceiverBehavior;
}

/** Ports that simulated receivers use. */
export interface ReceiversPorts {
  readonly listen: Listen;
  readonly clock: Clock;
  /** The APIs by kind; the receivers of notifications declare them. */
  readonly apis: ReadonlyMap<string, SimulatedReceiverApi>;
}

/** Addresses of a simulated receiver. */
export interface SimulatedReceiver {
  readonly name: string;
  readonly kind: string;
  /** URL for the configuration of a sender. */
  readonly url: string;
  /** URL to which a new behavior is posted. */
  readonly behaviorUrl: string;
}

/** Simulated receivers that reply over real HTTP on loopback. */
export interface SimulatedReceivers {
  readonly all: readonly SimulatedReceiver[];
  /** The requests so far, oldest first: at least the latest twenty thousand. */
  requests(): readonly ReceivedRequest[];
  /** Changes the behavior of a receiver from the next request on. Throws if the name is unknown. */
  setBehavior(name: string, behavior: ReceiverBehavior): void;
  /** Opens or closes the port of a receiver; when it opens again, the port number is the same. */
  setOpen(name: string, open: boolean): Promise<void>;
  /** Closes all ports and connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens simulated receivers; rejects and leaves nothing open if an address cannot be bound. `onRequest` is called for each
 * request when its reply is sent or lost.
 */
export async function startReceivers(
  options: readonly ReceiverOptions[],
  ports: ReceiversPorts,
  onRequest: (request: ReceivedRequest) => void = () => undefined,
): Promise<SimulatedReceivers> {
  const log = new BoundedLog<ReceivedRequest>();
  const opened = new Map(options.map((one) => [one.name, openReceiver(one, log, { ...ports, onRequest })]));
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(({ listener }) => listener.setOpen(false)));
  };
  try {
    await Promise.all([...opened.values()].map(({ listener }) => listener.setOpen(true)));
  } catch (error) {
    await close();
    throw error;
  }
  const named = (name: string): OpenReceiver => {
    const found = opened.get(name);
    if (found === undefined) throw new Error(`no receiver '${name}' is simulated`);
    return found;
  };
  return {
    all: options.map(({ name, kind }) => {
      const origin = `http://${host}:${named(name).listener.port}`;
      return { name, kind, url: `${origin}${named(name).api.urlPath}`, behaviorUrl: `${origin}${behaviorPath}` };
    }),
    requests: () => log.entries(),
    setBehavior: (name, behavior) => named(name).setBehavior(behavior),
    setOpen: (name, open) => named(name).listener.setOpen(open),
    close,
  };
}

const host = '127.0.0.1';

interface OpenReceiver {
  readonly api: SimulatedReceiverApi;
  readonly listener: ToggleListener;
  readonly setBehavior: (behavior: ReceiverBehavior) => void;
}

function openReceiver(
  { name, kind, port = 0, behavior = { kind: 'healthy' } }: ReceiverOptions,
  log: BoundedLog<ReceivedRequest>,
  { listen, clock, apis, onRequest }: ReceiversPorts & { readonly onRequest: (request: ReceivedRequest) => void },
): OpenReceiver {
  const api = apis.get(kind);
  if (api === undefined) throw new Error(`no API of kind '${kind}' is simulated`);
  let next = behaviorSequence(behavior);
  const setBehavior = (changed: ReceiverBehavior): void => {
    next = behaviorSequence(changed);
  };
  const context = { name, kind, api, clock, log, nextBehavior: () => next(), setBehavior, onRequest };
  return { api, listener: new ToggleListener(listen, { host, port, handler: receiverHandler(context) }), setBehavior };
}
