import { type Failure, type FailureReason, failure } from '../kernel/failure.ts';

/** Failure of a request whose signal aborted. */
export function timeoutFailure(): Failure {
  return failure('timeout', 'no complete response within the deadline');
}

/** Failure of a connection, and whether the server may have closed it while it was idle. */
export interface ConnectionFailure {
  readonly failure: Failure;
  readonly stale: boolean;
}

const setAuthority = 'set ca_file to the certificate of its authority';
const unknownAuthority = `the certificate of the server was issued by an unknown authority: ${setAuthority}`;

/** Failed checks of the server's certificate. `mail.ts` uses the same sentences. */
export const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server, or of its authority, has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server is for another name: check the address, or set server_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate of the server is self-signed: ${setAuthority}`,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
};

const failureByCode: Readonly<Record<string, readonly [FailureReason, string]>> = {
  ECONNREFUSED: ['unreachable', 'the connection was refused'],
  ECONNRESET: ['unreachable', 'the connection was reset'],
  EPIPE: ['unreachable', 'the connection was reset'],
  UND_ERR_SOCKET: ['unreachable', 'the connection was closed before the response was complete'],
  INTERIM_RESPONSE: ['status', 'the server sent a response with status 100 or 101, which was not requested'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['body', 'the response length differs from Content-Length'],
  ENOTFOUND: ['unreachable', 'the host name is unknown'],
  EAI_AGAIN: ['unreachable', 'the host name cannot be looked up'],
  UNEXPECTED_ADDRESS: ['unreachable', 'the connection reached an unexpected address'],
  CLOSED_BEFORE_REQUEST: ['unreachable', 'the connection was closed before the request was sent'],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'tls',
    'the server does not answer with TLS: check the port, or whether it serves http',
  ],
  UNEXPECTED_CERTIFICATE: ['tls', 'the certificate of the server is not the expected one'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host'],
  ENETUNREACH: ['unreachable', 'there is no route to the network'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'the connection was not established in time'],
  ETIMEDOUT: ['timeout', 'the connection was not established in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'the headers are too large'],
  HPE_HEADER_OVERFLOW: ['too_large', 'the headers are too large'],
  UND_ERR_PRX_CONN: ['unreachable', 'the proxy closed the connection'],
  UND_ERR_PRX_TLS: ['tls', 'the certificate of the proxy is for another name'],
  PROXY_AUTHENTICATION: ['auth', 'the proxy requires authentication (status 407): check the credentials of the proxy'],
  PROXY_REFUSAL: ['auth', 'the proxy refused to connect to the address: check the rules of the proxy, or NO_PROXY'],
  PROXY_FAILURE: ['unreachable', 'the proxy could not connect to the address'],
  PROXY_ADDRESS: ['auth', 'the address of the proxy is invalid: it must begin with http:// or https://'],
};

const staleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Maps an error of a socket to a failure. Its text is not used, because it may contain URLs of users. */
export function connectionFailure(error: unknown): ConnectionFailure {
  const code = socketErrorCode(error);
  const problem = certificateProblems[code];
  const [reason, message] =
    problem === undefined ? (failureByCode[code] ?? failureForCode(code)) : ['tls' as const, problem];
  return { failure: failure(reason, message), stale: staleCodes.has(code) };
}

function failureForCode(code: string): readonly [FailureReason, string] {
  const shown = code === '' ? '' : ` (${code})`;
  if (/^(ERR_SSL|ERR_TLS|ERR_OSSL|EPROTO|CERT_|CRL_|UNABLE_TO_|HOSTNAME_|INVALID_)/.test(code)) {
    return ['tls', `the TLS handshake failed${shown}`];
  }
  if (code.startsWith('HPE_'))
    return ['unreachable', 'the response is not HTTP; another service or TLS may listen on the port'];
  return ['unreachable', `the connection failed${shown}`];
}

function socketErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const proxy = proxyStatus(error);
  if (proxy !== undefined) return proxyErrorCode(proxy);
  // The code is missing if the first bytes are not HTTP.
  if (error.name === 'HTTPParserError' && !('code' in error && error.code !== undefined)) return 'HPE_INVALID_CONSTANT';
  // undici has one code for every response that it does not accept.
  if (error.message === 'bad response' || error.message === 'bad upgrade') return 'INTERIM_RESPONSE';
  // All addresses of a name failed: reports the error of the first one.
  if (error instanceof AggregateError && !('code' in error)) return socketErrorCode(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Status with which a proxy refused a request; undici has no codes for it. */
function proxyStatus({ message }: Error): number | undefined {
  const [, tunnel, forward] =
    /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/.exec(message) ?? [];
  const status = tunnel ?? forward;
  return status === undefined ? undefined : Number(status);
}

function proxyErrorCode(status: number): string {
  if (status === 401 || status === 407) return 'PROXY_AUTHENTICATION';
  return status === 403 ? 'PROXY_REFUSAL' : 'PROXY_FAILURE';
}
