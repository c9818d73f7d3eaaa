import { rules } from '../../src/alert/rules/all.ts';
import { collectors } from '../../src/collect/all.ts';
import { loadedCommands as commands } from '../support/loaded-commands.ts';
import { collectorSuite } from './collector-suite.ts';
import { commandSuite } from './command-suite.ts';
import { ruleSuite } from './rule-suite.ts';
import { conformanceTests } from './unit-kind.ts';

// Every unit of the program: a new kind of unit is one line here.
conformanceTests({ kind: 'collectors', folder: 'collect', units: collectors, suite: collectorSuite });
conformanceTests({ kind: 'alert rules', folder: 'alert/rules', units: rules, suite: ruleSuite });
conformanceTests({ kind: 'commands', folder: 'cli/commands', units: commands, suite: commandSuite });
