import { AppError, toAppError } from '@qd/core/errors'
import type { Translator } from '@qd/core/i18n'
import { type Cli, createCli, type GlobalFlags } from './commands/cli.ts'
import { createParser, hasOwnTimeout, type Start } from './commands/parser.ts'
import { commandTree, globalFlags } from './commands/tree.ts'
import { type Files, readFiles } from './connect/settings.ts'
import type { Io } from './io.ts'
import { languageOf, loadTranslator } from './language.ts'
import { type ErrorPlace, errorJson, exitCodeOf, formatError } from './output/print-error.ts'
import { createStyle } from './output/style.ts'
import { version } from './version.ts'

const interruptedCode = 130

/** One run of `qd`: reads the command line, runs the command, answers the exit code. Never throws. */
export async function runProgram(io: Io): Promise<number> {
  const translator = await loadTranslator(languageOf(io, filesForLanguage(io)))
  let cli: Cli | null = null
  let code = 0
  const stopListening = io.onInterrupt(() => {
    reportInterrupt(io, cli, translator)
    io.exit(interruptedCode)
  })
  const start: Start = async (command, args, flags) => {
    const { timeout, ...others } = flags as GlobalFlags
    cli = createCli(io, {
      translator,
      flags: hasOwnTimeout(command) || timeout === undefined ? others : { ...others, timeout },
    })
    code = (await command.run(cli, args, flags)) ?? 0
  }
  const options = {
    globalFlags,
    translator,
    start,
    width: io.stdout.isTTY ? Math.min(io.stdout.columns, 100) : 80,
    write: (text: string) => io.stdout.write(text),
  }
  const parse = (args: readonly string[]): Promise<void> =>
    createParser({ ...options, tree: commandTree(parse) }).parse(args)
  try {
    if (io.args.includes('--version')) io.stdout.write(`${version}\n`)
    else if (io.args.length === 0) {
      cli = createCli(io, { translator, flags: {} })
      code = await openTerminalUi(cli)
    } else await parse(io.args)
    await (cli as Cli | null)?.connection?.close()
    return code
  } catch (thrown) {
    return fail(io, { thrown, cli, translator })
  } finally {
    stopListening()
  }
}

/** Language is looked up before anything can be reported; a broken file is reported by the command that needs it. */
function filesForLanguage(io: Io): Files | null {
  try {
    return readFiles(io)
  } catch {
    return null
  }
}

/** Opens the terminal UI; without a terminal on both sides it says what to use instead (behaviours T-11, T-12). */
async function openTerminalUi(cli: Cli): Promise<number> {
  const { io } = cli
  if (!io.stdout.isTTY || !io.stdin.isTTY) throw new AppError('usage', { reason: 'noTerminal', try: 'qd --help' })
  const { startTerminalUi } = await import('./app/start.tsx')
  return startTerminalUi({ cli })
}

async function fail(
  io: Io,
  { thrown, cli, translator }: { thrown: unknown; cli: Cli | null; translator: Translator },
): Promise<number> {
  if (isHelpOrVersion(thrown)) return 0
  const error = toAppError(thrown)
  if (error.code === 'usage' && error.params['reason'] === 'shownHelp') return exitCodeOf(error)
  await cli?.connection?.close().catch(() => undefined)
  const place = placeOf(cli, translator)
  if (wantsJson(io.args)) io.stderr.write(errorJson(error, { english: await loadTranslator('en-US'), place }))
  else io.stderr.write(formatError(error, { translator, style: createStyle(io.stderr, io), place }))
  if (error.code === 'internal' && io.env['QD_DEBUG'])
    io.stderr.write(`${String((error.cause as Error)?.stack ?? error.cause)}\n`)
  return exitCodeOf(error)
}

/** Commander ends `--help` by throwing. */
function isHelpOrVersion(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    (thrown.code === 'commander.helpDisplayed' || thrown.code === 'commander.help')
  )
}

function wantsJson(args: readonly string[]): boolean {
  return args.some((arg) => /^--jsonl?(=|$)/.test(arg))
}

function placeOf(cli: Cli | null, { t }: Translator): ErrorPlace {
  const connection = cli?.connection
  if (!connection) return { request: null, status: null, connection: null }
  const { url, profile, paths } = connection.settings
  const from =
    profile === null
      ? t('ui.cli.error.address', { url })
      : t('ui.cli.error.profile', { profile, url, path: paths.config })
  return { ...connection.last, connection: from }
}

/** What Ctrl+C leaves behind (behaviour C-23). */
function reportInterrupt(io: Io, cli: Cli | null, { t }: Translator): void {
  const sent = cli?.connection?.sent ?? []
  const lines = sent.map(
    ({ method, path, answered }) =>
      `  ${t(answered ? 'ui.cli.interrupt.answered' : 'ui.cli.interrupt.sent', { call: `${method} ${path}` })}`,
  )
  io.stderr.write(
    `\n${[t(sent.length === 0 ? 'ui.cli.interrupt.nothing' : 'ui.cli.interrupt.interrupted'), ...lines, ...(cli?.leftBehind() ?? [])].join('\n')}\n`,
  )
}
