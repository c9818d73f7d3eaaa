import type { Listen } from '../../kernel/listener.ts';
import type { Clock } from '../../kernel/time.ts';
import { Log } from '../call-log.ts';
import { Door } from '../doors.ts';
import { kinds } from './kinds/all.ts';
import type { ReceivedLetter, ReceiverKind } from './letter.ts';
import { type Manner, turns } from './manner.ts';
import { mannerPath, receiverHandler } from './receiver.ts';

/** One receiver to pretend. */
export interface ReceiverOptions {
  /** Unlike those of the others. */
  readonly name: string;
  readonly kind: ReceiverKind;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: healthy. */
  readonly manner?: Manner;
}

/** The world that the fakes need. */
export interface ReceiversPorts {
  readonly listen: Listen;
  readonly clock: Clock;
}

/** How one of them is reached. */
export interface FakeReceiver {
  readonly name: string;
  readonly kind: ReceiverKind;
  /** What a sender is configured with. */
  readonly url: string;
  /** Where one of the words for a manner can be posted to. */
  readonly mannerUrl: string;
}

/** Fake receivers that answer over real HTTP on loopback. */
export interface Receivers {
  readonly all: readonly FakeReceiver[];
  /** What they got so far in the order in which it came, the latest twenty thousand at least. */
  letters(): readonly ReceivedLetter[];
  /** Changes how one behaves from the next letter on. Unknown names throw. */
  behave(name: string, manner: Manner): void;
  /** Opens or closes its port: closed it refuses connections, and open it has the same number again. */
  open(name: string, open: boolean): Promise<void>;
  /** Closes all ports; answers under way are cut. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens fake receivers; rejects when an address cannot be bound, leaving nothing open. `heard` is told of each letter
 * when its answer is sent or lost.
 */
export async function startReceivers(
  options: readonly ReceiverOptions[],
  ports: ReceiversPorts,
  heard: (letter: ReceivedLetter) => void = () => undefined,
): Promise<Receivers> {
  const log = new Log<ReceivedLetter>();
  const stands = new Map(options.map((one) => [one.name, standFor(one, log, { ...ports, heard })]));
  const close = async (): Promise<void> => {
    await Promise.all([...stands.values()].map(({ door }) => door.set(false)));
  };
  try {
    await Promise.all([...stands.values()].map(({ door }) => door.set(true)));
  } catch (error) {
    await close();
    throw error;
  }
  const named = (name: string): Stand => {
    const found = stands.get(name);
    if (found === undefined) throw new Error(`no receiver '${name}' is simulated`);
    return found;
  };
  return {
    all: options.map(({ name, kind }) => {
      const origin = `http://${host}:${named(name).door.port}`;
      return { name, kind, url: `${origin}${kinds[kind].address}`, mannerUrl: `${origin}${mannerPath}` };
    }),
    letters: () => log.entries(),
    behave: (name, manner) => named(name).behave(manner),
    open: (name, open) => named(name).door.set(open),
    close,
  };
}

const host = '127.0.0.1';

interface Stand {
  readonly door: Door;
  readonly behave: (manner: Manner) => void;
}

function standFor(
  { name, kind, port = 0, manner = { kind: 'healthy' } }: ReceiverOptions,
  log: Log<ReceivedLetter>,
  { listen, clock, heard }: ReceiversPorts & { readonly heard: (letter: ReceivedLetter) => void },
): Stand {
  let turn = turns(manner);
  const behave = (next: Manner): void => {
    turn = turns(next);
  };
  const desk = { name, kindName: kind, kind: kinds[kind], clock, log, turn: () => turn(), behave, done: heard };
  return { door: new Door(listen, { host, port, handler: receiverHandler(desk) }), behave };
}
