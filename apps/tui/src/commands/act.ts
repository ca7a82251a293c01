import { type Action, actionKey, commonActions, type Resource } from '@qd/core/define'
import { run as runResource } from '@qd/core/resources'
import { confirmFlags, selectFlags } from './choice-flags.ts'
import { aboutResource, type Command, type Flag } from './command.ts'
import { dryRunFlag } from './dry-run-flag.ts'
import { jsonFields, resultFlags } from './output-flags.ts'

const waitFlags: readonly Flag[] = [
  { flags: '--wait', help: 'ui.cli.flags.wait' },
  { flags: '--timeout <time>', help: 'ui.cli.flags.waitTimeout' },
  { flags: '--poll <time>', help: 'ui.cli.flags.poll' },
]

/** The commands of a resource's own actions: those that are a call on the wire. */
export function actionCommands(resource: Resource): Command[] {
  return Object.values(resource.actions)
    .filter(({ name, wire }) => wire !== null && !commonActions.includes(name))
    .map((action) => actionCommand(resource, action, (translator) => translator.say(actionKey(action))))
}

/** `qd <entity> delete`. */
export function deleteCommand(resource: Resource): Command {
  return actionCommand(resource, resource.actions.delete!, aboutResource('ui.cli.commands.delete', resource.name))
}

function actionCommand(resource: Resource, action: Action, help: Command['help']): Command {
  const { name } = action
  const isMany = action.on === 'many'
  const command = `${resource.name} ${name}`
  const examples = isMany
    ? [`${command} 7`, `${command} --ids 7,12 --dry-run`]
    : [`${command} 7${action.starts ? ' --wait' : ''}`, `${command} 7 --dry-run`]
  return {
    name,
    help,
    examples: action.on === 'none' ? [command] : examples,
    ...(action.on === 'none'
      ? {}
      : { args: isMany ? '[names...]' : '[name]', values: { kind: 'records', of: resource.name } }),
    flags: [
      ...(isMany ? selectFlags(resource.name) : []),
      ...(action.starts ? waitFlags : []),
      ...confirmFlags,
      dryRunFlag,
      ...resultFlags(() => (action.starts ? jsonFields(runResource) : [])),
    ],
    async run(cli, [given], flags) {
      const { act } = await import('../on-demand.ts')
      const words = given === undefined ? [] : Array.isArray(given) ? (given as string[]) : [given]
      return act(cli, { resource, action, words, flags })
    },
  }
}
