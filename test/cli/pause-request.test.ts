import { expect, it } from 'vitest';
import { pauseRequest } from '../../src/cli/pause-request.ts';
import { testPorts } from '../support/cli-ports.ts';

function setUp() {
  const { signals, signal, listeners } = testPorts();
  let pauses = 0;
  const request = pauseRequest(signals);
  const pause = () => {
    pauses += 1;
  };
  return { request, pause, signal, listeners, pauses: () => pauses };
}

it('pauses at each SIGUSR2', () => {
  const { request, pause, signal, pauses } = setUp();
  request.react(pause);
  expect(pauses()).toBe(0);
  signal('SIGUSR2');
  signal('SIGUSR2');
  expect(pauses()).toBe(2);
});

it('loses none that comes before there is a guard', () => {
  const { request, pause, signal, pauses } = setUp();
  signal('SIGUSR2');
  request.react(pause);
  expect(pauses()).toBe(1);
});

it('gives the signal back', () => {
  const { request, listeners } = setUp();
  expect(listeners('SIGUSR2')).toBe(1);
  request.release();
  expect(listeners('SIGUSR2')).toBe(0);
});
