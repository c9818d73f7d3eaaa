import { base64 } from '../graphdb/credentials.ts';
import type { IncomingRequest, OutgoingReply, RequestHandler } from '../kernel/listener.ts';

/** Operator of a demo, which has no users: the reader of its terminal. */
export interface DemoOperator {
  /** Query string of the page for one visit, which gives the browser a session. */
  readonly query: string;
  readonly user: string;
  readonly password: string;
  /** Authenticates the session, and the user with the password. All other requests remain anonymous. */
  readonly authenticate: (handler: RequestHandler) => RequestHandler;
}

const user = 'demo';
const cookie = 'graphwarden_demo';

/** Creates the operator of a demo with new secrets. */
export function createDemoOperator(createToken: () => string): DemoOperator {
  const password = createToken();
  let linkToken: string | undefined = createToken();
  const query = `?token=${linkToken}`;

  function openLink(token: string): OutgoingReply {
    const isRight = token === linkToken;
    if (isRight) linkToken = undefined;
    const session = { 'set-cookie': `${cookie}=${password}; Path=/; HttpOnly; SameSite=Strict` };
    return { status: 303, headers: { location: '/', 'cache-control': 'no-store', ...(isRight ? session : {}) } };
  }

  function isOperator({ headers }: IncomingRequest): boolean {
    const cookies = headers.cookie?.split(';').map((one) => one.trim()) ?? [];
    return cookies.includes(`${cookie}=${password}`) || headers.authorization === basic;
  }

  const basic = `Basic ${base64(`${user}:${password}`)}`;
  return {
    query,
    user,
    password,
    authenticate: (handler) => async (request) => {
      const token = request.path === '/' && request.method === 'GET' ? request.query.get('token') : null;
      if (token !== null) return openLink(token);
      return await handler(isOperator(request) ? { ...request, operator: user } : request);
    },
  };
}
