import { expect, it } from 'vitest';
import { formatJson, printError } from '../../src/cli/print.ts';
import { testPorts } from '../support/cli-ports.ts';

it('print › prints an error with the name of the program and exits with 1', () => {
  const ports = testPorts();
  expect(printError('connection refused', ports)).toBe(1);
  expect(ports.stderr.text()).toBe('graphwarden: connection refused\n');
  expect(ports.stdout.text()).toBe('');
});

it('print › prints no terminal control characters', () => {
  const ports = testPorts();
  printError('first\u001b[2J\u202eline\nsecond', ports);
  expect(ports.stderr.text()).toBe('graphwarden: first [2J line\nsecond\n');
  expect(formatJson('\u202e\u009b')).toBe('"\\u202e\\u009b"\n');
});

it('print › formats JSON for terminals and for scripts', () => {
  expect(formatJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
});
