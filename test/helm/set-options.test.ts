import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { chart, helm, type Manifest, manifestsIn } from './chart.ts';

/** Runs `helm template` with options, and a values file as its standard input. */
function run(options: readonly string[], input?: string): { readonly text: string; readonly error: string } {
  const args = ['template', 'x', chart, '--namespace', 'db', '--kube-version', '1.35.0', ...options];
  const values = input === undefined ? [] : ['--values', '-'];
  const { status, stdout, stderr } = spawnSync(helm ?? '', [...args, ...values], { input, encoding: 'utf8' });
  return { text: stdout, error: status === 0 ? '' : stderr };
}

function one(text: string, kind: string): Manifest {
  const found = manifestsIn(text).find((object) => object.kind === kind);
  return found ?? expect.fail(`no ${kind}`);
}

// Each run of helm takes half a second, so each case has many values.
describe.skipIf(helm === undefined)('values of the command line', () => {
  it('are numbers of any size if the chart expects numbers', () => {
    const numbers = [
      'podMonitor.enabled=true',
      'podMonitor.sampleLimit=10000000',
      'port=9917',
      'revisionHistoryLimit=0',
    ];
    const json = '--set-json=terminationGracePeriodSeconds=1e6';
    const { text, error } = run([`--set=${numbers.join(',')}`, json, '--set=persistence.annotations.a=b']);
    expect(error).toBe('');
    expect(one(text, 'PodMonitor').spec).toMatchObject({ sampleLimit: 10_000_000 });
    expect(one(text, 'Deployment').spec).toMatchObject({
      revisionHistoryLimit: 0,
      template: {
        spec: { terminationGracePeriodSeconds: 1_000_000, containers: [{ ports: [{ containerPort: 9917 }] }] },
      },
    });
    expect(text).not.toMatch(/: \d+e\+\d+$/m);
  });

  it('are rejected with their path if they are texts of numbers and booleans', () => {
    const { text, error } = run([
      '--set-string=port=9917,replicaCount=1,podMonitor.enabled=true',
      '--set=service.port=80.0,revisionHistoryLimit=1e1,serviceMonitor.enabled=yes',
    ]);
    for (const path of ['/port', '/replicaCount', '/podMonitor/enabled', '/service/port', '/revisionHistoryLimit']) {
      expect(error).toContain(`at '${path}': got string, want`);
    }
    expect(error).toContain("at '/serviceMonitor/enabled': got string, want boolean");
    expect(text).toBe('');
  });

  it('are rejected if names and texts are numbers without --set-string, and accepted with it', () => {
    const options = ['podAnnotations.a=1', 'existingSecrets[0]=123', 'nodeSelector.kubernetes\\.io/os=true'].join(',');
    const { error } = run([`--set=${options}`]);
    expect(error).toContain("at '/podAnnotations/a': got number, want string");
    expect(error).toContain("at '/existingSecrets/0': got number, want string");
    expect(error).toContain("at '/nodeSelector/kubernetes.io~1os': got boolean, want string");
    const { text } = run([`--set-string=${options}`]);
    expect(one(text, 'Deployment').spec).toMatchObject({
      template: { metadata: { annotations: { a: '1' } }, spec: { nodeSelector: { 'kubernetes.io/os': 'true' } } },
    });
  });

  it('are rejected if an index leaves a gap in a list', () => {
    const lists = [
      'extraArgs[1]=--keep-trying',
      'clusters[1].name=b',
      'extraVolumes[2].name=a',
      'podMonitor.relabelings[1].action=drop',
    ];
    const { error } = run([`--set=${lists.join(',')}`]);
    expect(error).toContain("at '/extraArgs/0': got null, want string");
    expect(error).toContain("at '/clusters/0': got null, want object");
    expect(error).toContain("at '/extraVolumes/0': got null, want object");
    expect(error).toContain("at '/podMonitor/relabelings/0': got null, want object");
  });

  it('remove a default with null, or are refused where the chart requires it', () => {
    const removed = run(['--set=podSecurityContext=null,resources.limits=null,livenessProbe.periodSeconds=null']);
    expect(removed.error).toBe('');
    const { spec } = one(removed.text, 'Deployment');
    expect(spec).not.toHaveProperty('template.spec.securityContext');
    expect(spec).not.toHaveProperty('template.spec.containers.0.resources.limits');
    expect(spec).not.toHaveProperty('template.spec.containers.0.livenessProbe.periodSeconds');
    const { error } = run(['--set=service=null,persistence.size=null,image.tag=null']);
    for (const name of ['service', 'size', 'tag']) expect(error).toContain(`missing property '${name}'`);
  });
});

describe.skipIf(helm === undefined)('a values file', () => {
  const lines = [
    'port: 9917\t# a tab',
    'podAnnotations:',
    '  a: |',
    '    first',
    '    second',
    'podLabels: {\tb: c }',
    '',
  ];

  it('may have a byte order mark, line ends of Windows, and tabs between values', () => {
    const plain = run(['--set=web.createUsers=false'], lines.join('\n'));
    const odd = run(['--set=web.createUsers=false'], `\uFEFF${lines.join('\r\n')}`);
    expect([plain.error, odd.error]).toEqual(['', '']);
    expect(odd.text).toBe(plain.text);
    expect(odd.text).toContain('listen: 0.0.0.0:9917');
    expect(one(odd.text, 'Deployment').spec).toMatchObject({
      template: { metadata: { annotations: { a: 'first\nsecond\n' }, labels: { b: 'c' } } },
    });
  });

  it('is rejected with the line that a tab indents', () => {
    const { text, error } = run([], 'service:\n\tport: 80\n');
    expect(error).toContain('line 2: found character that cannot start any token');
    expect(text).toBe('');
  });
});
