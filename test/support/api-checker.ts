import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Reply, type RequestOptions, send } from './http.ts';

type Members = Readonly<Record<string, unknown>>;

/** Operation of the OpenAPI document with one of its statuses: `GET /api/v1/alerts 200`. */
type Answer = string;

/** Client that checks each answer of a daemon against the OpenAPI document of the same daemon. */
export class ApiChecker {
  readonly #url: string;
  readonly #paths: Readonly<Record<string, Readonly<Record<string, Members>>>>;
  readonly #schemas: Ajv2020;
  readonly #checked = new Set<Answer>();

  private constructor(url: string, document: Members) {
    this.#url = url;
    this.#paths = document.paths as Readonly<Record<string, Readonly<Record<string, Members>>>>;
    this.#schemas = new Ajv2020({ strict: false, allErrors: true });
    (formats as unknown as (ajv: Ajv2020) => void)(this.#schemas);
    this.#schemas.addSchema(closed({ $id: 'api', ...document }));
  }

  /** Opens the API of the daemon at `url`. */
  static async open(url: string): Promise<ApiChecker> {
    return new ApiChecker(url, JSON.parse((await send(`${url}/api/v1/openapi.json`)).text));
  }

  /** Statuses that the document declares and that no answer had so far, by operation. */
  get unchecked(): readonly Answer[] {
    return this.#declared().filter((answer) => !this.#checked.has(answer));
  }

  /** Sends a request and checks its answer. Rejects if the document does not declare it. */
  async send(target: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await send(`${this.#url}${target}`, options);
    this.check(options.method ?? 'GET', target, reply);
    return reply;
  }

  /** Checks an answer; throws if the document does not declare it. */
  check(method: string, target: string, { status, headers, text }: Reply): void {
    const path = this.#pathOf(target.split('?')[0] ?? '');
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
    const validate = this.#schemas.compile({ $ref: reference });
    if (!validate(value)) throw new Error(`${what}: ${this.#schemas.errorsText(validate.errors)}`);
  }

  #contentOf(path: string, method: string, status: number): Members {
    const { responses = {} } = this.#paths[path]?.[method.toLowerCase()] ?? {};
    const { content = {} } = ((responses as Members)[status] ?? {}) as { readonly content?: Members };
    return content;
  }

  #pathOf(path: string): string {
    const found = Object.keys(this.#paths).find((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (found === undefined) throw new Error(`${path} is not in the document`);
    return found;
  }

  #declared(): readonly Answer[] {
    return Object.entries(this.#paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses = {} }]) =>
        Object.keys(responses as Members).map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
  }
}

/** Sends one GET request to the daemon at `url` and checks its answer. */
export async function getChecked(url: string, target: string): Promise<Reply> {
  return (await ApiChecker.open(url)).send(target);
}

/** Returns a schema that allows no field which it does not declare. */
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
