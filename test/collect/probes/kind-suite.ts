import { expect, it } from 'vitest';
import type { ProbeKind } from '../../../src/collect/probes/kind.ts';
import { requestOfTask } from '../../../src/graphdb/endpoints/probe-requests.ts';

/** Checks one kind with sections that are right; each gives a task whose call the kind declares. */
export function checkKind(kind: ProbeKind, sections: readonly object[]): void {
  it.each(sections)(`${kind.name} accepts %j, and sends a call that it declares`, (section) => {
    const task = kind.section.parse(section);
    expect(task.kind).toBe(kind.name);
    if (task.kind === 'write_heartbeat') return;
    const { name } = requestOfTask(task, { graph: 'fraud', timeout: 1000 });
    expect(kind.calls).toContain(name);
  });

  it(`${kind.name} states privilege and cost, and refuses an unknown key`, () => {
    expect(kind.privilege).toMatch(/READ_DATA/);
    expect(kind.cost.length).toBeGreaterThan(5);
    expect(kind.section.safeParse({ ...sections[0], unknown: 1 }).success).toBe(false);
  });
}
