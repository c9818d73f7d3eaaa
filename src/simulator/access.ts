import { Buffer } from 'node:buffer';
import type { SimulatedAuth } from './options.ts';
import { gsqlError, type Reply, restppError } from './replies.ts';
import type { TokenDesk } from './tokens.ts';
import type { ServerRelease } from './versions.ts';

/** Who guards a route: nobody, the data plane, for aborts or for all else, or the GSQL server. */
export type Guarded = 'open' | 'restpp' | 'abort' | 'gsql';

/** Everything that decides whether a request may pass. */
export interface Door {
  readonly auth: SimulatedAuth;
  readonly release: ServerRelease;
  readonly tokens: TokenDesk;
  readonly now: number;
}

/** Says why a request with these headers may not pass; undefined lets it through. */
export function refusal(guarded: Guarded, headers: Readonly<Record<string, string>>, door: Door): Reply | undefined {
  const shown = credentials(headers.authorization ?? '');
  if ((guarded === 'restpp' || guarded === 'abort') && wantsToken(door.auth)) {
    return restppRefusal(shown, door) ?? privilegeRefusal(shown, guarded, door.auth);
  }
  if (guarded === 'gsql' && !opensGsql(shown, door)) {
    // No public sample shows this body: an assumed shape.
    return gsqlError(401, 'Authentication failed. Please provide valid credentials.');
  }
  return undefined;
}

/** Whether these headers carry the credentials with which a token may be asked for without a secret. */
export function showsUser(headers: Readonly<Record<string, string>>, auth: SimulatedAuth): boolean {
  return isUser(credentials(headers.authorization ?? ''), auth);
}

interface Shown {
  readonly scheme: string;
  readonly value: string;
}

function credentials(header: string): Shown {
  const [scheme = '', ...rest] = header.split(' ');
  return { scheme: scheme.toLowerCase(), value: rest.join(' ') };
}

/** `RESTPP.Factory.EnableAuth`: off by default on real servers. */
function wantsToken(auth: SimulatedAuth): boolean {
  return auth.kind === 'bearer' || auth.kind === 'secret' || (auth.kind === 'basic' && auth.enableAuth === true);
}

function restppRefusal({ scheme, value }: Shown, { tokens, now }: Door): Reply | undefined {
  const token = scheme === 'bearer' ? value : '';
  const verdict = tokens.judge(token, now);
  if (verdict === 'good') return undefined;
  if (verdict === 'expired') return restppError(403, 'REST-10019', 'Access Denied because the input token is expired.');
  const shown = token.length < 8 ? '' : `${token.slice(0, 4)}****${token.slice(-4)}`;
  const trouble = shown === '' ? 'is empty or too short' : 'is invalid';
  return restppError(403, 'REST-10016', `Access Denied because the input token = '${shown}' ${trouble}`);
}

/** Where aborting has a token of its own, each of the two tokens is good for its own part alone. */
function privilegeRefusal({ value }: Shown, guarded: 'restpp' | 'abort', auth: SimulatedAuth): Reply | undefined {
  if (auth.kind !== 'bearer' || auth.abortToken === undefined) return undefined;
  if (value === (guarded === 'abort' ? auth.abortToken : auth.token)) return undefined;
  return restppError(403, 'REST-10016', 'Access Denied because the token lacks the privilege that this endpoint needs');
}

function opensGsql(shown: Shown, { auth, release, tokens, now }: Door): boolean {
  if (isUser(shown, auth)) return true;
  if (shown.scheme === 'gsql-secret')
    return release.gsqlSecrets && auth.kind === 'secret' && shown.value === auth.secret;
  return shown.scheme === 'bearer' && release.gsqlTokens && tokens.judge(shown.value, now) === 'good';
}

/** Where no user is configured, every user is somebody: real servers have at least one. */
function isUser({ scheme, value }: Shown, auth: SimulatedAuth): boolean {
  if (scheme !== 'basic') return false;
  if (auth.kind === 'none') return true;
  return auth.kind === 'basic' && value === Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
}
