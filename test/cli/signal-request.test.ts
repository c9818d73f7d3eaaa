import { expect, it } from 'vitest';
import { signalRequest } from '../../src/cli/signal-request.ts';
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
