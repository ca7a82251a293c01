import { run } from '@qd/core/resources'
import type { Cli } from '../cli.ts'

/** From now on the first Ctrl+C ends what a run of this command runs, where its server and its agents can; the waiting then sees it end. */
export function endByInterrupt(cli: Cli, id: number): void {
  const { path, method } = run.actions.stop!.wire!
  cli.onInterrupt(async () => {
    const { client } = await cli.connect()
    await client.send({ method, path: path.replace('{id}', String(id)) })
    cli.note(`\n${cli.translator.t('ui.cli.run.ending', { id: String(id) })}`)
  })
}
