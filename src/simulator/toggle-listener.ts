import type { BoundListener, Listen, RequestHandler } from '../kernel/listener.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';

/** Address and certificate of the listener of one node. */
export interface ToggleListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: RequestHandler;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Port of one node: it refuses connections while it is closed, and opens again with the same number. */
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

  /** Port number; 0 before the listener was open if the system assigns the port. */
  get port(): number {
    return this.#port;
  }

  /** Opens or closes the port; has no effect if it already is. Calls run one after another. */
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
