import type { BoundListener, Listen, RequestHandler } from '../kernel/listener.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';

/** Address and certificate of the listener of one node. */
export interface ToggleListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** The port of one node: closed it refuses connections, and it opens again under the same number. */
export class ToggleListener {
  readonly #listen: Listen;
  readonly #options: ToggleListenerOptions;
  #listening: BoundListener | undefined;
  #port: number;
  readonly #queue = new SerialQueue();

  constructor(listen: Listen, options: ToggleListenerOptions) {
    this.#listen = listen;
    this.#options = options;
    this.#port = options.port;
  }

  /** 0 until it has been open once. */
  get port(): number {
    return this.#port;
  }

  /** Opens or closes; does nothing when it is so already. Calls are carried out one after another. */
  setOpen(open: boolean): Promise<void> {
    return this.#queue.run(() => this.#applyOpen(open));
  }

  async #applyOpen(open: boolean): Promise<void> {
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
