import { Buffer } from 'node:buffer';
import type { SimulatedAuth } from './options.ts';
import { gsqlError, type Reply, restppError } from './replies.ts';
import type { TokenIssuer } from './tokens.ts';
import type { ServerRelease } from './versions.ts';

/**
 * Authentication of a route: none, that of the data plane (for aborts or for all other requests), or that of the GSQL
 * server.
 */
export type AccessLevel = 'open' | 'restpp' | 'abort' | 'gsql';

/** Inputs of the access check. */
export interface AccessContext {
  readonly auth: SimulatedAuth;
  readonly release: ServerRelease;
  readonly tokens: TokenIssuer;
  /** Time of the host's clock, ms since the epoch. */
  readonly now: number;
}

/** Returns the rejection of a request with these headers; undefined if it is authorized. */
export function accessError(
  level: AccessLevel,
  headers: Readonly<Record<string, string>>,
  context: AccessContext,
): Reply | undefined {
  const presented = credentials(headers.authorization ?? '');
  if ((level === 'restpp' || level === 'abort') && requiresToken(context.auth)) {
    return restppAccessError(presented, context) ?? privilegeError(presented, level, context.auth);
  }
  if (level === 'gsql' && !canAccessGsql(presented, context)) {
    // The shape of this body is assumed, because no public sample shows it.
    return gsqlError(401, 'Authentication failed. Please provide valid credentials.');
  }
  return undefined;
}

/** Returns whether headers have user credentials, with which a client can request a token without a secret. */
export function hasUserCredentials(headers: Readonly<Record<string, string>>, auth: SimulatedAuth): boolean {
  return isUser(credentials(headers.authorization ?? ''), auth);
}

interface Credentials {
  readonly scheme: string;
  readonly value: string;
}

function credentials(header: string): Credentials {
  const [scheme = '', ...rest] = header.split(' ');
  return { scheme: scheme.toLowerCase(), value: rest.join(' ') };
}

/** Whether the data plane requires a token, as `RESTPP.Factory.EnableAuth` sets it; disabled by default on real servers. */
function requiresToken(auth: SimulatedAuth): boolean {
  return auth.kind === 'bearer' || auth.kind === 'secret' || (auth.kind === 'basic' && auth.enableAuth === true);
}

function restppAccessError({ scheme, value }: Credentials, { tokens, now }: AccessContext): Reply | undefined {
  const token = scheme === 'bearer' ? value : '';
  const status = tokens.check(token, now);
  if (status === 'good') return undefined;
  if (status === 'expired') return restppError(403, 'REST-10019', 'Access Denied because the input token is expired.');
  const shown = token.length < 8 ? '' : `${token.slice(0, 4)}****${token.slice(-4)}`;
  const problem = shown === '' ? 'is empty or too short' : 'is invalid';
  return restppError(403, 'REST-10016', `Access Denied because the input token = '${shown}' ${problem}`);
}

/**
 * Returns the rejection of a token without the privilege; undefined if it has it. With `abortToken`, each of the two tokens is
 * valid only for aborts or only for all other requests.
 */
function privilegeError({ value }: Credentials, level: 'restpp' | 'abort', auth: SimulatedAuth): Reply | undefined {
  if (auth.kind !== 'bearer' || auth.abortToken === undefined) return undefined;
  if (value === (level === 'abort' ? auth.abortToken : auth.token)) return undefined;
  return restppError(403, 'REST-10016', 'Access Denied because the token lacks the privilege that this endpoint needs');
}

function canAccessGsql(presented: Credentials, { auth, release, tokens, now }: AccessContext): boolean {
  if (isUser(presented, auth)) return true;
  if (presented.scheme === 'gsql-secret')
    return release.gsqlSecrets && auth.kind === 'secret' && presented.value === auth.secret;
  return presented.scheme === 'bearer' && release.gsqlTokens && tokens.check(presented.value, now) === 'good';
}

/**
 * Whether user credentials are valid. Without a configured user, all users are accepted, because real servers have at least one
 * user. A secret is the password of the user `__GSQL__secret`.
 */
function isUser({ scheme, value }: Credentials, auth: SimulatedAuth): boolean {
  if (scheme !== 'basic') return false;
  if (auth.kind === 'none') return true;
  if (auth.kind === 'secret') return value === basicValue('__GSQL__secret', auth.secret);
  return auth.kind === 'basic' && value === basicValue(auth.username, auth.password);
}

function basicValue(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64');
}
