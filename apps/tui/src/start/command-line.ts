import { withOwnAliases, withoutAliases } from '@qd/core/actions'
import type { Translator } from '@qd/core/i18n'
import { readFiles } from '../base/connect/settings.ts'
import type { Io } from '../base/io.ts'
import type { FlagValues } from '../cli/commands/command.ts'
import { globalFlags } from '../cli/commands/flags/flags.ts'
import { formatHelp } from '../cli/commands/help/help-format.ts'
import { createParser, HelpRequested, type Start } from '../cli/commands/parser.ts'
import { commandTree, uiFlags } from '../cli/commands/tree.ts'
import { runComplete } from '../cli/completion/run.ts'

export { hasOwnTimeout } from '../cli/commands/parser.ts'

const usageCode = 2
const widestHelp = 100

export const tree = commandTree()

export function complete(io: Io, texts: () => Promise<Translator>): Promise<number> {
  return runComplete(io, { tree, globalFlags }, texts)
}

/** Errors: `usage`, and help that was asked for. */
export function readLine(io: Io, args: readonly string[]) {
  const aliases = () => readFiles(io).user.aliases
  const typed = withOwnAliases(args, { tree, globalFlags, aliases, isWhole: true })
  return {
    /** With the user’s aliases written out. */
    typed,
    run: (open: (flags: FlagValues) => Promise<void>, start: Start): Promise<void> =>
      createParser({ globalFlags, uiFlags, open, start, tree })(withoutAliases(typed, { tree, globalFlags })),
  }
}

/** Writes the help that was asked for and returns the exit code; null for other errors. */
export function helpOf(thrown: unknown) {
  if (!(thrown instanceof HelpRequested)) return null
  const { parser, isError } = thrown
  return async (io: Io, translator: Translator): Promise<number> => {
    const stream = isError ? io.stderr : io.stdout
    stream.write(formatHelp(parser, { translator, width: stream.isTTY ? Math.min(stream.columns, widestHelp) : 80 }))
    await stream.flush()
    return isError ? usageCode : 0
  }
}
