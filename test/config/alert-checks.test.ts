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
  it('may name configured receivers', () => {
    expect(
      found([
        { matchers: ['a="b"'], receivers: ['oncall', 'chat'] },
        { receivers: ['oncall'], fallback: 'chat' },
      ]),
    ).toEqual([]);
  });

  it('may not name unknown receivers', () => {
    expect(
      found([{ receivers: ['oncal', 'pager'], fallback: 'chta', continue: true }, { receivers: ['oncall', 'chat'] }]),
    ).toEqual([
      [
        'alerts.routes.0.receivers.0',
        'is not the name of a receiver in alerts.receivers',
        'did you mean the name of receivers[0]?',
      ],
      ['alerts.routes.0.receivers.1', 'is not the name of a receiver in alerts.receivers', undefined],
      [
        'alerts.routes.0.fallback',
        'is not the name of a receiver in alerts.receivers',
        'did you mean the name of receivers[1]?',
      ],
    ]);
  });

  it('fall back to a receiver that is not in the route', () => {
    expect(found([{ receivers: ['oncall', 'chat'], fallback: 'chat' }])).toEqual([
      ['alerts.routes.0.fallback', 'is already a receiver of this route; choose another receiver', undefined],
    ]);
  });

  it.each([
    [[{}, {}], ['alerts.routes.1']],
    [[{ matchers: ['a="b"'] }, { matchers: [] }, { matchers: ['a="c"'] }, {}], ['alerts.routes.2']],
    [[{ matchers: ['a="b"'] }, {}], []],
    [[{ continue: false }, {}], ['alerts.routes.1']],
    [[{ continue: true }, {}], []],
    [[{ continue: 'so' }, {}], []],
    [[], []],
  ])('are rejected after a route that matches every alert without `continue: true`: %j', (routes, paths) => {
    expect(found(routes).map(([path]) => path)).toEqual(paths);
  });

  it.each([[undefined], ['x'], [[null]], [[{ receivers: 'oncall' }]], [[{ receivers: [7] }]]])(
    'that are %j are not checked, because the schema reports them',
    (routes) => {
      expect(found(routes)).toEqual([]);
    },
  );
});

describe('receivers', () => {
  it.each([
    [[{ receivers: ['oncall'] }], ['alerts.receivers.1.name']],
    [[{ receivers: ['oncall'], fallback: 'chat' }], []],
    [[{ matchers: ['a="b"'], receivers: ['oncall'] }, { receivers: ['chat'] }], []],
    [[], []],
    [undefined, []],
  ])('are all named by a route of %j', (routes, paths) => {
    const complaints = found(routes).filter(
      ([, message]) => message === 'gets no notifications, because no route names it; add it to alerts.routes',
    );
    expect(complaints.map(([path]) => path)).toEqual(paths);
  });

  it('may be used by a policy of the guard only', () => {
    const given = { receivers, routes: [{ receivers: ['chat'] }] };
    expect(checkAlerts(given, undefined, ['oncall'])).toEqual([]);
    expect(checkAlerts(given, undefined, ['chat'])).toHaveLength(1);
  });

  it('may be configured only for the heartbeat', () => {
    const given = [{ name: 'oncall' }, { name: 'deadman', heartbeat: true }];
    expect(found([{ receivers: ['oncall'] }], undefined, given)).toEqual([]);
  });

  it('are rejected in a sidecar', () => {
    expect(found([], 'node')).toMatchObject([
      ['alerts.receivers', expect.stringContaining('`scope: cluster`'), undefined],
    ]);
    expect(found([], 'cluster')).toEqual([]);
    expect(found([], 'node', [])).toEqual([]);
  });

  it.each([[undefined], ['x'], [[null, 7]]])(
    'that are %j are not checked, because the schema reports them',
    (given) => {
      expect(found([], undefined, given)).toEqual([]);
    },
  );
});

describe('the last route', () => {
  const complaint = 'must not be the last route, because an alert that matches no route reaches no receiver';

  it.each([
    [[{ matchers: ['severity="critical"'], receivers: ['chat'] }], ['alerts.routes.0']],
    [[{ receivers: ['oncall'], continue: true }, { matchers: 'severity="critical"' }], ['alerts.routes.1']],
    [[{ matchers: ['severity="critical"'], receivers: ['chat'] }, { receivers: [] }], []],
    [[{ matchers: [], receivers: ['chat'] }], []],
    [[{ matchers: null, receivers: ['chat'] }], []],
    [[], []],
  ])('matches every alert: %j', (routes, paths) => {
    expect(found(routes).flatMap(([path, message]) => (message === complaint ? [path] : []))).toEqual(paths);
  });

  it('is reported as missing, with the entry to add', () => {
    const [problem] = found([{ matchers: ['severity="critical"'], receivers: ['chat', 'oncall'] }]);
    expect(problem?.[2]).toContain('`{ receivers: [] }` to drop all other alerts on purpose');
  });
});

it('a route without receivers has no fallback and does not continue', () => {
  expect(
    found([
      { matchers: ['node="m1"'], receivers: [], fallback: 'chat', continue: true },
      { receivers: ['oncall', 'chat'] },
    ]),
  ).toEqual(
    ['fallback', 'continue'].map((key) => [
      `alerts.routes.0.${key}`,
      'has no effect on a route without receivers; name receivers, or remove this key',
      undefined,
    ]),
  );
});

describe('the heartbeat', () => {
  const heartbeat = [{ name: 'oncall', heartbeat: true }, { name: 'chat' }];

  it('needs the rule watchdog', () => {
    const rules = { watchdog: { enabled: false } };
    expect(checkAlerts({ receivers: heartbeat, rules }, undefined)).toMatchObject([
      {
        path: ['alerts', 'receivers', 0, 'heartbeat'],
        message: 'has no effect, because alerts.rules.watchdog is disabled; enable it, or remove this key',
      },
    ]);
    expect(checkAlerts({ receivers, rules }, undefined)).toEqual([]);
    expect(checkAlerts({ receivers: heartbeat, rules: { watchdog: {} } }, undefined)).toEqual([]);
  });
});
