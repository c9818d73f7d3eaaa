import { expect, it } from 'vitest';
import { listenForSignal, sharedSignal } from '../../src/cli/signals.ts';
import { testPorts } from '../support/cli-ports.ts';

function setUp() {
  const ports = testPorts();
  let acts = 0;
  const request = listenForSignal(ports.signals, 'SIGUSR2');
  const act = () => {
    acts += 1;
  };
  return { request, act, ports, acts: () => acts };
}

it('a listener is called at each signal', () => {
  const { request, act, ports, acts } = setUp();
  request.handle(act);
  expect(acts()).toBe(0);
  ports.signal('SIGUSR2');
  ports.signal('SIGUSR2');
  expect(acts()).toBe(2);
});

it('signals before the first listener are kept', () => {
  const { request, act, ports, acts } = setUp();
  ports.signal('SIGUSR2');
  request.handle(act);
  expect(acts()).toBe(1);
});

it('other signals are not handled', () => {
  const { request, act, ports, acts } = setUp();
  request.handle(act);
  ports.signal('SIGHUP');
  expect(acts()).toBe(0);
});

it('a listener is removed on release', () => {
  const { request, ports } = setUp();
  expect(ports.listeners('SIGUSR2')).toBe(1);
  request.release();
  expect(ports.listeners('SIGUSR2')).toBe(0);
});

it('a signal is passed to the next handler if the previous one may have consumed it', () => {
  const { request, act, ports, acts } = setUp();
  let others = 0;
  const first = sharedSignal(request);
  first.handle(() => {
    others += 1;
  });
  ports.signal('SIGUSR2');
  first.release();
  const second = sharedSignal(request);
  second.handle(act);
  expect([others, acts()]).toEqual([1, 1]);
  second.release();
  // The signal does not kill the process after release, and released handlers do not run.
  expect(ports.listeners('SIGUSR2')).toBe(1);
  ports.signal('SIGUSR2');
  expect([others, acts()]).toEqual([1, 1]);
});
