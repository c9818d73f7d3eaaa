import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkAnswersOf, type Reply, type RequestOptions, sendUnchecked } from './http.ts';

type Members = Readonly<Record<string, unknown>>;

/** Operation of the OpenAPI document with one of its statuses: `GET /api/v1/alerts 200`. */
type Answer = string;

/** Client that checks each answer of a daemon against the OpenAPI document of the same daemon. */
export class ApiChecker {
  readonly #url: string;
  readonly #paths: Readonly<Record<string, Readonly<Record<string, Members>>>>;
  /** Pattern of each path of the document. */
  readonly #patterns: ReadonlyMap<string, RegExp>;
  readonly #schemas: Ajv2020;
  readonly #checked = new Set<Answer>();
  readonly #validators = new Map<string, ValidateFunction>();

  /** Checks against a document. */
  constructor(url: string, document: Members) {
    this.#url = url;
    this.#paths = document.paths as Readonly<Record<string, Readonly<Record<string, Members>>>>;
    this.#patterns = new Map(
      Object.keys(this.#paths).map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]),
    );
    this.#schemas = new Ajv2020({ strict: false, allErrors: true });
    formats.default(this.#schemas);
    this.#schemas.addSchema(closed({ $id: 'api', ...document }));
  }

  /** Opens the API of the daemon at `url`. */
  static async open(url: string): Promise<ApiChecker> {
    return new ApiChecker(url, JSON.parse((await sendUnchecked(`${url}/api/v1/openapi.json`)).text));
  }

  /** Statuses that the document declares and that no answer had so far, by operation. */
  get unchecked(): readonly Answer[] {
    return this.#declared().filter((answer) => !this.#checked.has(answer));
  }

  /** Whether the document has an operation for a request. */
  hasOperation(method: string, target: string): boolean {
    const path = this.#findPath(target);
    return path !== undefined && this.#paths[path]?.[method.toLowerCase()] !== undefined;
  }

  /** Sends a request and checks its answer. Rejects if the document does not declare it. */
  async send(target: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await sendUnchecked(`${this.#url}${target}`, options);
    this.check(options.method ?? 'GET', target, reply);
    return reply;
  }

  /** Whether the document declares an answer. */
  declares(method: string, target: string, reply: Reply): boolean {
    try {
      this.check(method, target, reply);
      return true;
    } catch {
      return false;
    }
  }

  /** Checks an answer; throws if the document does not declare it. */
  check(method: string, target: string, { status, headers, text }: Reply): void {
    const path = this.#pathOf(target);
    const answer = `${method} ${path} ${status}`;
    const type = headers['content-type']?.split(';')[0] ?? '';
    const content = this.#contentOf(path, method, status)[type];
    if (content === undefined) throw new Error(`${answer} with ${type} is not in the document: ${text.slice(0, 200)}`);
    if (type.endsWith('json')) {
      const parts = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
      this.#validate(`api#/${parts.map(escapePointer).join('/')}`, JSON.parse(text), answer);
    }
    this.#checked.add(answer);
  }

  /** Checks the data of a server-sent event. */
  checkEvent(target: string, name: string, data: unknown): void {
    const type = 'text/event-stream';
    const events = (this.#contentOf(target, 'GET', 200)[type] as Members)['x-events'] as Members;
    if (events[name] === undefined) throw new Error(`${target} has no event ${name}`);
    const parts = ['paths', target, 'get', 'responses', '200', 'content', type, 'x-events', name];
    this.#validate(`api#/${parts.map(escapePointer).join('/')}`, data, `${target} event ${name}`);
  }

  #validate(reference: string, value: unknown, what: string): void {
    const validate = this.#validators.get(reference) ?? this.#schemas.compile({ $ref: reference });
    this.#validators.set(reference, validate);
    if (!validate(value)) throw new Error(`${what}: ${this.#schemas.errorsText(validate.errors)}`);
  }

  #contentOf(path: string, method: string, status: number): Members {
    const { responses = {} } = this.#paths[path]?.[method.toLowerCase()] ?? {};
    const { content = {} } = ((responses as Members)[status] ?? {}) as { readonly content?: Members };
    return content;
  }

  #pathOf(target: string): string {
    const found = this.#findPath(target);
    if (found === undefined) throw new Error(`${target} is not in the document`);
    return found;
  }

  #findPath(target: string): string | undefined {
    const path = target.split('?')[0] ?? '';
    for (const [template, pattern] of this.#patterns) if (pattern.test(path)) return template;
    return undefined;
  }

  #declared(): readonly Answer[] {
    return Object.entries(this.#paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses = {} }]) =>
        Object.keys(responses as Members).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
  }
}

/** Checkers by the text of the document, which most daemons share. */
const checkers = new Map<string, ApiChecker>();

/** Checker of the latest document. */
let latest: ApiChecker | undefined;

/** Lets `send` check each answer of the daemon at `url` to a documented request. */
export function checkAnswers(url: string): void {
  let own: ApiChecker | undefined;
  checkAnswersOf(url, async (target, options, reply) => {
    const method = options.method ?? 'GET';
    // No route answers a request without credentials, or for an unknown path or method.
    if (reply.status === 401) return;
    // Generating the document takes a daemon long: it is requested only if the latest one does not declare the answer.
    if (own === undefined && latest?.declares(method, target, reply) === true) return;
    own ??= await sharedChecker(url, options);
    latest = own ?? latest;
    if (own?.hasOperation(method, target) === true) own.check(method, target, reply);
  });
}

/** Returns the checker of a daemon; undefined while it does not answer with its document. */
async function sharedChecker(url: string, { headers = {}, ca }: RequestOptions): Promise<ApiChecker | undefined> {
  const { status, text } = await sendUnchecked(`${url}/api/v1/openapi.json`, {
    headers,
    ...(ca === undefined ? {} : { ca }),
  });
  if (status !== 200) return undefined;
  const { servers: _, ...document } = JSON.parse(text);
  const key = JSON.stringify(document);
  const known = checkers.get(key) ?? new ApiChecker(url, document);
  checkers.set(key, known);
  return known;
}

/** Returns a schema that rejects fields that it does not declare. */
function closed(value: Members): Members {
  const entries = Object.entries(value).map(([name, one]) => [name, name === 'examples' ? one : closedValue(one)]);
  const members = Object.fromEntries(entries) as Members;
  return 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members;
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue);
  return typeof value === 'object' && value !== null ? closed(value as Members) : value;
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
