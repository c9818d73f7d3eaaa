import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { secretUrlProblem } from '../../src/notify/secret-attempts.ts';

describe('an address that is a secret', () => {
  it('may have a query and blanks around it', () => {
    expect(secretUrlProblem(new Secret(' https://hooks.test/x?token=hush \n'))).toBeUndefined();
  });

  it.each([
    ['hush', 'not an address that begins with https://'],
    ['ftp://hooks.test/hush', 'not an address that begins with https://'],
    ['https://u:hush@hooks.test/', 'contains a user or a password'],
  ])('is rejected if it is %s, without repeating it', (text, message) => {
    const problem = secretUrlProblem(new Secret(text));
    expect(problem).toContain(message);
    expect(problem).not.toContain('hush');
  });
});
