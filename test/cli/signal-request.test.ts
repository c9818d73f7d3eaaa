import { expect, it } from 'vitest';
import { lent, signalRequest } from '../../src/cli/signal-request.ts';
import { testPorts } from '../support/cli-ports.ts';

function setUp() {
  const ports = testPorts();
  let acts = 0;
  const request = signalRequest(ports.signals, 'SIGUSR2');
  const act = () => {
    acts += 1;
  };
  return { request, act, ports, acts: () => acts };
}

it('acts at each signal', () => {
  const { request, act, ports, acts } = setUp();
  request.react(act);
  expect(acts()).toBe(0);
  ports.signal('SIGUSR2');
  ports.signal('SIGUSR2');
  expect(acts()).toBe(2);
});

it('loses none that comes before anybody acts', () => {
  const { request, act, ports, acts } = setUp();
  ports.signal('SIGUSR2');
  request.react(act);
  expect(acts()).toBe(1);
});

it('leaves other signals alone', () => {
  const { request, act, ports, acts } = setUp();
  request.react(act);
  ports.signal('SIGHUP');
  expect(acts()).toBe(0);
});

it('gives the signal back', () => {
  const { request, ports } = setUp();
  expect(ports.listeners('SIGUSR2')).toBe(1);
  request.release();
  expect(ports.listeners('SIGUSR2')).toBe(0);
});

it('tells who comes later of what another may have taken with it', () => {
  const { request, act, ports, acts } = setUp();
  let others = 0;
  const first = lent(request);
  first.react(() => {
    others += 1;
  });
  ports.signal('SIGUSR2');
  first.release();
  const second = lent(request);
  second.react(act);
  expect([others, acts()]).toEqual([1, 1]);
  second.release();
  // It does not kill meanwhile, and nobody reacts who has ended.
  expect(ports.listeners('SIGUSR2')).toBe(1);
  ports.signal('SIGUSR2');
  expect([others, acts()]).toEqual([1, 1]);
});
