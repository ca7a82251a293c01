import { AppError } from '@qd/core/errors'
import { resourceByName, resources } from '@qd/core/resources'
import { nearest } from '@qd/core/targets'
import { recordPath } from '@qd/core/view'
import type { Command } from './command.ts'
import { pickOne } from './pick.ts'
import { recordsOf } from './read.ts'

/** `qd open ENTITY [NAME]`: the page of a list or a record in the web console; its address goes to stdout. */
export const openCommand: Command = {
  name: 'open',
  help: 'ui.cli.commands.open',
  args: '<entity> [name]',
  values: { kind: 'words', words: () => resources.map(({ name }) => name) },
  examples: ['open server web-1', 'open incident', 'open server web-1 | ssh desk xargs xdg-open'],
  async run(cli, [word = '', name]) {
    const resource = resourceByName(word)
    if (!resource)
      throw new AppError('usage', {
        reason: 'unknownEntity',
        name: word,
        near: nearest(
          word,
          resources.map((one) => one.name),
        ),
      })
    const { url } = await cli.settings()
    const path =
      name === undefined || resource.wire.shape === 'one'
        ? resource.path
        : recordPath(
            resource,
            pickOne(resource, await (await recordsOf(cli)).list(resource), name, `qd open ${word}`).id,
          )
    const address = url + path
    cli.print(address)
    if (cli.io.stdout.isTTY && !(await cli.io.openInBrowser(address)))
      cli.note(cli.translator.t('ui.cli.open.noBrowser'))
    return undefined
  },
}
