import type { Listen, Listening, RequestHandler } from '../kernel/listener.ts';

/** Where one node listens, and with which certificate. */
export interface DoorOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** The port of one node: closed it refuses connections, and it opens again under the same number. */
export class Door {
  readonly #listen: Listen;
  readonly #options: DoorOptions;
  #listening: Listening | undefined;
  #port: number;
  #work: Promise<void> = Promise.resolve();

  constructor(listen: Listen, options: DoorOptions) {
    this.#listen = listen;
    this.#options = options;
    this.#port = options.port;
  }

  /** 0 until it has been open once. */
  get port(): number {
    return this.#port;
  }

  /** Opens or closes; does nothing when it is so already. Calls are carried out one after another. */
  set(open: boolean): Promise<void> {
    const done = this.#work.then(() => this.#set(open));
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #set(open: boolean): Promise<void> {
    if (open === (this.#listening !== undefined)) return;
    if (open) {
      this.#listening = await this.#listen({ ...this.#options, port: this.#port });
      this.#port = this.#listening.port;
      return;
    }
    const closing = this.#listening;
    this.#listening = undefined;
    await closing?.close(0);
  }
}
