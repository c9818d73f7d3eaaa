import type { CallName } from '../../../src/graphdb/calls.ts';

/** Endpoints of one system of the server that have the same use. */
export interface EndpointGroup {
  /** System of the server, such as `schema`. */
  readonly system: string;
  /** `METHOD /path`, as the documents of the server write it. */
  readonly endpoints: readonly string[];
  /** Call of the client; absent if the client does not call the endpoints. */
  readonly call?: CallName;
  /** What the call is for, unless collectors make it, or why there is none. */
  readonly use?: string;
  /** Whether a call changes the server or deletes from it. */
  readonly changes?: true;
}

/** Why the client has no call that changes the server. */
const changeReason = 'never called: changes the server; the client cannot express the call';

/** Endpoints that change the server, delete from it or stop something on it. */
export function changing(system: string, ...endpoints: readonly string[]): EndpointGroup {
  return { system, endpoints, use: changeReason, changes: true };
}

/** Endpoints of a call of the client. */
export function called(system: string, call: CallName, ...endpoints: readonly string[]): EndpointGroup {
  return { system, endpoints, call };
}

/** Endpoints that only return something, and that the client does not call for a reason. */
export function uncalled(system: string, reason: string, ...endpoints: readonly string[]): EndpointGroup {
  return { system, endpoints, use: `never called: ${reason}` };
}

/** Endpoints that run a query of the request, which may change data. */
export function running(system: string, ...endpoints: readonly string[]): EndpointGroup {
  const use = 'never called: runs a query, which may change data; the client cannot express the call';
  return { system, endpoints, use, changes: true };
}
