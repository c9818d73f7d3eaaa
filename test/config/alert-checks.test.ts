import { describe, expect, it } from 'vitest';
import { checkAlerts } from '../../src/config/alert-checks.ts';

const receivers = [{ name: 'oncall' }, { name: 'chat' }];

function found(routes: unknown, scope?: string, given: unknown = receivers) {
  return checkAlerts({ receivers: given, routes }, scope).map(({ path, message, hint }) => [
    path.join('.'),
    message,
    hint,
  ]);
}

describe('routes', () => {
  it('may name receivers that there are', () => {
    expect(found([{ receivers: ['oncall', 'chat'] }, { receivers: ['oncall'], fallback: 'chat' }])).toEqual([]);
  });

  it('may name no others', () => {
    expect(found([{ receivers: ['oncal', 'pager'], fallback: 'chta' }])).toEqual([
      ['alerts.routes.0.receivers.0', 'is no receiver of alerts.receivers', "did you mean 'oncall'?"],
      ['alerts.routes.0.receivers.1', 'is no receiver of alerts.receivers', undefined],
      ['alerts.routes.0.fallback', 'is no receiver of alerts.receivers', "did you mean 'chat'?"],
    ]);
  });

  it('fall back to somebody else', () => {
    expect(found([{ receivers: ['oncall', 'chat'], fallback: 'chat' }])).toEqual([
      ['alerts.routes.0.fallback', 'is a receiver of this route already', undefined],
    ]);
  });

  it.each([[undefined], ['x'], [[null]], [[{ receivers: 'oncall' }]], [[{ receivers: [7] }]]])(
    'that are %j are the business of the schema',
    (routes) => {
      expect(found(routes)).toEqual([]);
    },
  );
});

describe('receivers', () => {
  it('belong to no sidecar', () => {
    expect(found([], 'node')).toMatchObject([['alerts.receivers', expect.stringContaining('`scope: cluster`')]]);
    expect(found([], 'cluster')).toEqual([]);
    expect(found([], 'node', [])).toEqual([]);
  });

  it.each([[undefined], ['x'], [[null, 7]]])('that are %j are the business of the schema', (given) => {
    expect(found([], undefined, given)).toEqual([]);
  });
});
