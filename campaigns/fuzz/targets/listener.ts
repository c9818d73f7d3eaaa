import { connect } from 'node:net';
import { ok } from '../../../src/kernel/result.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { startInProcessDaemon } from '../../../test/support/in-process-daemon.ts';
import type { FuzzRunner, FuzzTarget } from '../target.ts';

/** Requests of each kind of route, as bytes on the wire. */
const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/'],
  ['GET', '/?refresh=10'],
  ['GET', '/metrics'],
  ['HEAD', '/metrics'],
  ['GET', '/probe?target=prod%2Fm1&collector=health'],
  ['GET', '/-/healthy'],
  ['GET', '/-/ready'],
  ['POST', '/-/reload'],
  ['GET', '/docs/metrics'],
  ['GET', '/api/v1/alerts?limit=10&offset=0&severity=critical'],
  ['GET', '/api/v1/transitions?since=1h&cluster=prod'],
  ['GET', '/api/v1/availability?since=60d'],
  ['GET', '/api/v1/queries?node=m1'],
  ['GET', '/api/v1/endpoints?node=m1'],
  ['GET', '/api/v1/guard/audit?since=2026-01-31T12:00:00Z'],
  ['GET', '/api/v1/notifications?result=failed'],
  ['GET', '/api/v1/clusters/prod/nodes/m1/queries/1.RESTPP_1_1.1790000000000.N/why'],
  ['GET', '/incidents/abcdef'],
  ['POST', '/api/v1/silences', '{"matchers":["severity=\\"warning\\""],"duration":"1h","comment":"x","author":"y"}'],
  ['POST', '/api/v1/silences/preview', '{"matchers":["severity=\\"warning\\""],"duration":"1h","comment":"x"}'],
  ['DELETE', '/api/v1/silences/1'],
  ['POST', '/api/v1/guard/pause'],
  ['POST', '/api/v1/guard/breakers/reset', '{"cluster":"prod","breaker":"no_relief runaway"}'],
  ['POST', '/api/v1/clusters/prod/nodes/m1/queries/1.RESTPP_1_1.1790000000000.N/abort', '{"reason":"x"}'],
  ['POST', '/api/v1/services/forget', '{"cluster":"prod","service":"GPE"}'],
  ['POST', '/api/v1/incidents/abcdef/acknowledge', 'action=acknowledge'],
  ['POST', '/api/v1/checks/run', '{"cluster":"prod"}'],
];

function requestBytes([method, path, body = '']: (typeof requests)[number]): string {
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', 'Accept-Encoding: gzip'];
  const declared = body === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
  return [...head, ...declared, '', body].join('\r\n');
}

/** Timeout in ms of a request whose end the daemon waits for. */
const answerTimeout = 300;

/**
 * The listener with all routes: no request causes a 500 or an error in the log, and none of an anonymous client changes
 * anything. Each input is sent by an anonymous client first, then by an operator.
 */
export const listenerTarget: FuzzTarget = {
  name: 'listener',
  about: 'Bytes that a client sends to the listener, with all routes behind it.',
  seeds: () => requests.map(requestBytes),
  open: async (): Promise<FuzzRunner> => {
    const listener = await openListener();
    return {
      run: async (input) => {
        const before = await listener.actions();
        const [anonymous] = await listener.send(listener.anonymousPort, input);
        if ((await listener.actions()) !== before)
          throw new Error(`an anonymous client changes something: ${anonymous}`);
        const [status, answer] = await listener.send(listener.operatorPort, input);
        return {
          outcome: `${anonymous} ${status} ${/"detail":"[^"]{0,24}/.exec(answer)?.[0] ?? ''}`,
          counts: { answers: status === 'none' ? 0 : 1, actions: (await listener.actions()) - before },
        };
      },
      close: () => listener.close(),
    };
  },
};

/** A daemon with a listener for operators and one for anonymous clients. */
async function openListener() {
  const nodes = [{ name: 'm1', url: 'http://127.0.0.1:9' }];
  const policies = [{ name: 'runaway', when: { age: '> 10m' } }];
  const store = memoryStore();
  let reloads = 0;
  const reload = async () => {
    reloads += 1;
    return ok([]);
  };
  const daemon = await startInProcessDaemon(
    { clusters: [{ name: 'prod', nodes }], guard: { policies } },
    { store, reload },
  );
  const anonymous = await listen({ host: '127.0.0.1', port: 0, handler: daemon.app.handler });
  const bugs = () => daemon.log.filter(({ level }) => level === 'error');
  return {
    operatorPort: Number(new URL(daemon.url).port),
    anonymousPort: anonymous.port,
    /** Returns the number of reloads, and of the operator actions in the audit. */
    actions: async () => {
      const audited = await store.count({ table: 'guard_actions' });
      if (!audited.ok) throw new Error(audited.error);
      return reloads + audited.value;
    },
    send: async (port: number, input: string) => {
      const answer = await exchange(port, input);
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none';
      if (status === '500' || bugs().length > 0) throw new Error(`status ${status}: ${JSON.stringify(bugs())}`);
      return [status, answer] as const;
    },
    close: async () => {
      await anonymous.close(0);
      await daemon.stop();
    },
  };
}

/** Sends bytes and returns the received text until the connection ends. */
function exchange(port: number, input: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1');
    socket.setTimeout(answerTimeout, () => socket.destroy());
    socket.on('data', (chunk) => {
      if (answer.length < 4096) answer += chunk;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
    socket.end(input, 'latin1');
  });
}
