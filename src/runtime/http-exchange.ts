import type { Dispatcher } from 'undici';

/** Head of a reply, with its body as it arrives. */
export interface ReplyHead {
  readonly statusCode: number;
  /** Header names are in lower case; a repeated header has a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: IncomingBody;
}

/** Body of a reply while it arrives. */
export interface IncomingBody {
  /**
   * Returns the bytes that have arrived, or waits for the next ones; undefined at the end. Rejects if the connection breaks or
   * the signal of the request aborts.
   */
  next(): Promise<Uint8Array | undefined>;
  /** Closes the connection unless the body is complete, because the rest is not read. */
  discard(): void;
}

/** Conditions of an exchange. */
export interface ExchangeOptions {
  /** Ends the exchange, and the body that arrives, when it aborts. */
  readonly signal: AbortSignal;
  /** Whether the request may still be written; called in the turn of the event loop in which it is. */
  readonly mayWrite?: (() => boolean) | undefined;
}

/** Error of a request that must not be written any more. */
export class RequestWithheld extends Error {}

/**
 * Sends a request and returns the reply when its headers have arrived. Rejects with an error of undici or of a socket, or with
 * {@link RequestWithheld}. `Dispatcher.request` of undici does the same with a stream for each body, which costs as much
 * processor time as the rest of a short reply.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<ReplyHead> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(options, { resolve, reject });
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

/** Settles the promise of an exchange. */
interface Settlement {
  readonly resolve: (head: ReplyHead) => void;
  readonly reject: (error: unknown) => void;
}

/** Receives what undici reports about one request. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #settlement: Settlement;
  #controller: Dispatcher.DispatchController | undefined;
  #body: ChunkQueue | undefined;

  constructor(options: ExchangeOptions, settlement: Settlement) {
    this.#options = options;
    this.#settlement = settlement;
    options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, mayWrite } = this.#options;
    this.#controller = controller;
    if (signal.aborted) this.#abort();
    else if (mayWrite?.() === false)
      controller.abort(new RequestWithheld('the request was cancelled before it was sent'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: ReplyHead['headers']): void {
    // An informational response, such as `103 Early Hints`, precedes the reply.
    if (statusCode < 200) return;
    this.#body = new ChunkQueue(controller);
    this.#settlement.resolve({ statusCode, headers, body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.add(chunk);
  }

  onResponseEnd(): void {
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
    // undici reports a refusal of a proxy as an error, but would read the refusal to its end.
    this.#controller?.abort(error);
  }

  /** Ends the exchange with an error. */
  fail(error: unknown): void {
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#settlement.reject(error);
    this.#body?.fail(error);
  }

  readonly #abort = (): void => {
    const error = new Error('aborted');
    if (this.#body !== undefined) this.#body.abort(error);
    else this.#controller?.abort(error);
  };
}

/** Maximum number of bytes that wait for their reader; then the connection is paused. */
const maxWaitingBytes = 65_536;

/** Chunks of a body that wait for their reader. */
class ChunkQueue implements IncomingBody {
  readonly #controller: Dispatcher.DispatchController;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #isComplete = false;
  #failure: { readonly error: unknown } | undefined;
  /** Continues the reader that waits for a chunk. */
  #wake: (() => void) | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && !this.#isComplete) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const change = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      // It may add a chunk at once.
      this.#controller.resume();
      await change;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#waitingBytes = 0;
    return chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];
  }

  discard(): void {
    if (!this.#isComplete) this.abort(new Error('the rest of the body is not read'));
  }

  /** Closes the connection, and drops the chunks that wait. */
  abort(error: Error): void {
    this.#chunks = [];
    this.fail(error);
    this.#controller.abort(error);
  }

  /** Adds a chunk. undici may add some although it is paused, when the server has closed the connection. */
  add(chunk: Uint8Array): void {
    if (this.#failure !== undefined) return;
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > maxWaitingBytes) this.#controller.pause();
    this.#wake?.();
  }

  /** Ends the body after the chunks that wait. */
  end(): void {
    this.#isComplete = true;
    this.#wake?.();
  }

  /** Ends the body with an error after the chunks that wait. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }
}
