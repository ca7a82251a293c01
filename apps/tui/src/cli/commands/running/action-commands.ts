import { callsForEach, cliWords, isCommand } from '@qd/core/actions'
import { type Action, actionKey, type Resource } from '@qd/core/define'
import { lastItem } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import { aboutResource, type Command, type Flag } from '../command.ts'
import { fieldFlags, fieldHelp } from '../flags/field-flags.ts'
import { confirmFlags, dryRunFlag, hostFlags, partFlag, resultFlags, selectFlags } from '../flags/flags.ts'
import { examplesOf } from '../help/examples.ts'
import { inputFlag } from './arguments.ts'
import { runActionCommand } from './run-action.ts'

export function actionCommands(resource: Resource): { own: Command[]; topLevel: Command[] } {
  const lines = Object.values(resource.actions)
    .filter(isCommand)
    .map((action) => ({
      isTopLevel: !cliWords(action).includes(' '),
      command: actionCommand(resource, action, (translator) => translator.say(actionKey(action))),
    }))
  return {
    own: lines.filter(({ isTopLevel }) => !isTopLevel).map(({ command }) => command),
    topLevel: lines.filter(({ isTopLevel }) => isTopLevel).map(({ command }) => command),
  }
}

export function deleteCommand(resource: Resource): Command {
  return actionCommand(resource, resource.actions.delete!, aboutResource('ui.cli.commands.delete', resource))
}

function actionCommand(resource: Resource, action: Action, help: Command['help']): Command {
  const words = cliWords(action)
  const takesMany = action.on === 'many'
  const tail = tailField(action)
  const word = action.args?.word ?? null
  const typedWord = word === null ? '' : `[${word}]`
  const isReading = action.wire === null ? !action.waits && action.confirm === 'none' : action.wire.method === 'GET'
  return {
    name: lastItem(words.split(' ')),
    help,
    examples: examplesOf(action, words),
    ...(action.on === 'none'
      ? typedWord !== '' && { args: typedWord }
      : {
          args: takesMany ? '[names...]' : `[name] ${typedWord}`.trim(),
          values: { kind: 'records', of: resource.name },
        }),
    ...(word !== null && { argHelp: { [word]: fieldHelp(action.args!, word) } }),
    ...(tail !== null && { tail: true }),
    flags: [
      ...(takesMany ? selectFlags(resource.name) : []),
      ...(action.on === 'none' ? [] : hostFlags(resource)),
      ...(action.args ? fieldFlags(action.args) : []),
      ...(action.args?.sends === 'changed' ? [{ flags: '--edit', help: 'ui.cli.flags.edit' }] : []),
      ...(tail === null ? [] : [inputFlag, exitCodeFlag]),
      ...(action.starts ? waitFlags(tail !== null) : []),
      ...(action.brings ? arrivalFlags : []),
      ...(takesMany && callsForEach(action) ? [{ flags: '--fail-fast', help: 'ui.cli.flags.failFast' }] : []),
      ...(action.confirm === 'none' ? [] : confirmFlags),
      ...(action.name === 'delete' ? [ignoreNotFoundFlag] : []),
      ...(isReading ? [] : [dryRunFlag]),
      ...resultFlags(() => (action.starts ? jsonFields(runResource) : [])),
      ...(action.starts ? [partFlag] : []),
    ],
    async run(cli, given, flags) {
      const words = given.flat().filter((word) => word !== undefined)
      return runActionCommand(cli, { resource, action, words, flags, tail })
    },
  }
}

/** Deleting a missing record succeeds. */
const ignoreNotFoundFlag: Flag = { flags: '--ignore-not-found', help: 'ui.cli.flags.ignoreNotFound' }

const exitCodeFlag: Flag = { flags: '--exit-code', help: 'ui.cli.flags.exitCode' }

const pollFlag: Flag = { flags: '--poll <time>', help: 'ui.cli.flags.poll' }

/** Of a text that brings records once it is run elsewhere. */
const arrivalFlags: readonly Flag[] = [
  { flags: '--wait', help: 'ui.cli.flags.waitArrival' },
  { flags: '--timeout <time>', help: 'ui.cli.flags.waitTimeout' },
  pollFlag,
]

function tailField({ args }: Action): string | null {
  return Object.entries(args?.fields ?? {}).find(([, { kind }]) => kind === 'command')?.[0] ?? null
}

/** A command that runs at once is waited for by default. */
function waitFlags(waits: boolean): readonly Flag[] {
  const wait: Flag = waits
    ? { flags: '--no-wait', help: 'ui.cli.flags.noWait' }
    : { flags: '--wait', help: 'ui.cli.flags.wait' }
  const timeout = waits ? 'ui.cli.flags.commandTimeout' : 'ui.cli.flags.waitTimeout'
  return [wait, { flags: '--timeout <time>', help: timeout }, pollFlag]
}
