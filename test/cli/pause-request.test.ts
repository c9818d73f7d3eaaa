import { expect, it } from 'vitest';
import { pauseRequest } from '../../src/cli/pause-request.ts';
import { testPorts } from '../support/cli-ports.ts';

function setUp() {
  const ports = testPorts();
  let pauses = 0;
  const request = pauseRequest(ports.signals);
  const pause = () => {
    pauses += 1;
  };
  return { request, pause, ports, pauses: () => pauses };
}

it('pauses at each SIGUSR2', () => {
  const { request, pause, ports, pauses } = setUp();
  request.react(pause);
  expect(pauses()).toBe(0);
  ports.signal('SIGUSR2');
  ports.signal('SIGUSR2');
  expect(pauses()).toBe(2);
});

it('loses none that comes before there is a guard', () => {
  const { request, pause, ports, pauses } = setUp();
  ports.signal('SIGUSR2');
  request.react(pause);
  expect(pauses()).toBe(1);
});

it('gives the signal back', () => {
  const { request, ports } = setUp();
  expect(ports.listeners('SIGUSR2')).toBe(1);
  request.release();
  expect(ports.listeners('SIGUSR2')).toBe(0);
});
