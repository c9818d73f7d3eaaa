import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { checkWebhookTemplates } from '../../src/config/webhook-template-checks.ts';

function configWith(...lines: readonly string[]): string {
  return [
    'clusters: [{ name: c, nodes: [{ name: m1, url: "http://127.0.0.1:1" }] }]',
    'alerts:',
    '  receivers:',
    '    - name: one',
    '      templated_webhook:',
    '        url: https://example.org',
    ...lines.map((line) => `        ${line}`),
  ].join('\n');
}

/** The problems as `line: key: message (hint)`. */
function problemsOf(...lines: readonly string[]): readonly string[] {
  const loaded = loadConfig(configWith(...lines), 'main.yml', {});
  return loaded.ok
    ? []
    : loaded.error.map(({ line, path, message, hint }) => `${line}: ${path}: ${message} (${hint ?? ''})`);
}

it('a template may use the closed set and the names of by_severity', () => {
  const severity = 'by_severity: { priority: { critical: 1, warning: 2, info: 3 } }';
  expect(
    problemsOf(severity, 'path: "/{{incident}}"', 'body: { a: "{{summary}} {{priority}} {{node | truncate 9}}" }'),
  ).toEqual([]);
});

it('an unknown name is reported with its position and a suggestion', () => {
  const problems = problemsOf(
    'path: "/{{incidnt}}"',
    'body:',
    '  a: [{ b: "{{sumary}}" }]',
    'resolve: { body: { c: "{{zzz}}" } }',
  );
  expect(problems).toEqual([
    expect.stringMatching(/^7: .*templated_webhook\.path: .*`\{\{incidnt\}\}` \(did you mean `\{\{incident\}\}`\?\)$/),
    expect.stringMatching(/^9: .*body\.a\[0\]\.b: .*`\{\{sumary\}\}` \(did you mean `\{\{summary\}\}`\?\)$/),
    expect.stringMatching(/^10: .*resolve\.body\.c: .*`\{\{zzz\}\}` \(known names: status, .*\)$/),
  ]);
});

it('a body that is not JSON, and braces that are not closed, are reported with their position', () => {
  expect(problemsOf(`body: '{ "a": {{summary}} }'`)).toEqual([
    expect.stringMatching(/^7: .*\.body: is a text, and not valid JSON at line 1, column \d+; write a mapping/),
  ]);
  expect(problemsOf('body: { a: { b: "{{summary" } }')).toEqual([
    expect.stringMatching(/^7: .*body\.a\.b: has \{\{ without \}\}/),
  ]);
});

it.each([
  undefined,
  null,
  {},
  { alerts: { receivers: 7 } },
  { alerts: { receivers: [null, { templated_webhook: 7 }] } },
])('an invalid %j is not checked, because the schema reports it', (value) => {
  expect(checkWebhookTemplates(value)).toEqual([]);
});
