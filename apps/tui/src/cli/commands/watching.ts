import type { Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { aboutResource, type Command, type CommandGroup } from './command.ts'
import { listCommand } from './read.ts'
import type { WatchList } from './watched-list.ts'

/** `qd watch ENTITY`: the same as `qd ENTITY ls --watch`. */
export function watchGroup(watch: WatchList | null): CommandGroup {
  return {
    name: 'watch',
    help: 'ui.cli.commands.watch',
    get commands() {
      return resources.filter(({ wire }) => wire.verbs.includes('list')).map((one) => watchCommand(one, watch))
    },
  }
}

function watchCommand(resource: Resource, watch: WatchList | null): Command {
  const { name } = resource
  const list = listCommand(resource, watch)
  return {
    ...list,
    name,
    help: aboutResource('ui.cli.commands.watchOf', resource),
    flags: (list.flags ?? []).filter(({ flags }) => !flags.includes('--watch')),
    examples: [`watch ${name}`, `watch ${name} --jsonl id,${resource.title}`],
    run: (cli, args, flags) => list.run(cli, args, { ...flags, watch: true }),
  }
}
