import { rules } from '../../src/alert/rules/all.ts';
import { collectors } from '../../src/collect/all.ts';
import { conditionList } from '../../src/guard/conditions/all.ts';
import { receivers } from '../../src/notify/receivers/all.ts';
import { loadedCommands as commands } from '../support/loaded-commands.ts';
import { collectorSuite } from './collector-suite.ts';
import { commandSuite } from './command-suite.ts';
import { conditionSuite } from './condition-suite.ts';
import { receiverSuite } from './receiver-suite.ts';
import { ruleSuite } from './rule-suite.ts';
import { conformanceTests } from './unit-kind.ts';

// Every unit of the program: a new kind of unit is one line here.
conformanceTests({ kind: 'collectors', folder: 'collect', units: collectors, suite: collectorSuite });
conformanceTests({ kind: 'alert rules', folder: 'alert/rules', units: rules, suite: ruleSuite });
conformanceTests({ kind: 'commands', folder: 'cli/commands', units: commands, suite: commandSuite });
conformanceTests({
  kind: 'receivers',
  folder: 'notify/receivers',
  units: receivers.map((receiver) => ({ name: receiver.kind, about: receiver.about, receiver })),
  suite: ({ receiver }) => receiverSuite(receiver),
});
conformanceTests({
  kind: 'policy conditions',
  folder: 'guard/conditions',
  units: conditionList.map(({ condition }) => ({
    name: condition.name,
    about: condition.field.description ?? '',
    condition,
  })),
  suite: ({ condition }) => conditionSuite(condition),
});
