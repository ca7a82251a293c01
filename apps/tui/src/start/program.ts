import { AppError, toAppError } from '@qd/core/errors'
import type { Translator } from '@qd/core/i18n'
import * as z from 'zod'
import { type Files, readFiles } from '../base/connect/settings.ts'
import type { Io } from '../base/io.ts'
import { demandLanguage, languageOf, loadTranslator } from '../base/language.ts'
import { createFilter, type WriteValues } from '../base/output/filter.ts'
import { callOf, type ErrorPlace, errorJson, exitCodeOf, formatError } from '../base/output/print-error.ts'
import { createStyle } from '../base/output/style.ts'
import { isOutputFailed } from '../base/streams.ts'
import { version } from '../base/version.ts'
import {
  type Cli,
  createCli,
  type FlagValues,
  type GlobalFlags,
  type Program,
  textFlag,
  type WatchedList,
} from '../cli/commands/command.ts'
import type { Start } from '../cli/commands/parser.ts'

/** The terminal UI starts without them. */
const loadCommands = () => import('./command-line.ts')

type Commands = Awaited<ReturnType<typeof loadCommands>>

type OpenUi = (cli: Cli) => Promise<number>

/** `onStop` gets the cleanup for Ctrl+C or a signal; after `takeOver` someone else handles them. */
export type OpenWatch = (
  cli: Cli,
  watched: WatchedList,
  ending: { onStop(stop: (code: number) => void): void; takeOver(): void },
) => Promise<number>

/** Runs a command line and returns its exit code. Never throws. */
export async function runProgram(
  io: Io,
  openUi: OpenUi | null = null,
  openWatch: OpenWatch | null = null,
  openTools: ((cli: Cli, ending: { takeOver(): void }) => Promise<number>) | null = null,
): Promise<number> {
  // A schema used once or twice costs more to compile than it saves.
  z.config({ jitless: true })
  let translator: Promise<Translator> | undefined
  const texts = () => {
    translator ??= loadTexts(io)
    return translator
  }
  let cli: Cli | null = null
  let typed = io.args
  let code = 0
  if (io.args[0] === '__complete') return (await loadCommands()).complete(io, texts)
  let commands: Commands | null = null
  let stopWatch: ((code: number) => void) | null = null
  let interruptedCode: number | null = null
  const stopListening = io.onInterrupt((signalCode) => {
    if (stopWatch) return stopWatch(signalCode)
    const end = cli?.takeInterrupt()
    if (!end) return void interrupt(io, { cli, texts, code: signalCode })
    interruptedCode = signalCode
    end().catch(() => interrupt(io, { cli, texts, code: signalCode }))
  })
  const onStop = (stop: (code: number) => void) => {
    stopWatch = stop
  }
  const start: Start = async (command, args, flags) => {
    const { timeout, ...others } = flags as GlobalFlags
    const own = commands!.hasOwnTimeout(command) || timeout === undefined ? others : { ...others, timeout }
    const filter = await filterOf(io, flags)
    cli = createCli(io, { texts, flags: own, filter, args: typed, program })
    if (!command.textsLater) await cli.texts()
    code = (await command.run(cli, args, filter && flags.jsonl === undefined ? { json: true, ...flags } : flags)) ?? 0
  }
  const open = async (flags: FlagValues) => {
    cli = createCli(io, { texts, flags: flags as GlobalFlags })
    code = await openTerminalUi(cli, { openUi, stopListening })
  }
  const parse = async (args: readonly string[]): Promise<void> => {
    if (args.length === 0) return open({})
    commands ??= await loadCommands()
    const line = commands.readLine(io, args)
    typed = line.typed
    await line.run(open, start)
  }
  const ending = { onStop, takeOver: stopListening }
  const program: Program = {
    get tree() {
      return commands!.tree
    },
    parse,
    watch: openWatch && ((cli, watched) => openWatch(cli, watched, ending)),
    serveTools: openTools && ((cli) => openTools(cli, ending)),
  }
  try {
    demandLanguage(io.args)
    if (io.args.includes('--version')) io.stdout.write(`${version}\n`)
    else await parse(io.args)
    await io.stdout.flush()
    await (cli as Cli | null)?.connection?.close()
    return interruptedCode ?? code
  } catch (thrown) {
    const failed = (error: unknown) => fail(io, { thrown: error, cli, texts, args: typed })
    const help = (commands as Commands | null)?.helpOf(thrown)
    return help ? help(io, await texts()).catch(failed) : failed(thrown)
  } finally {
    stopListening()
  }
}

async function filterOf({ libraries }: Io, flags: FlagValues): Promise<WriteValues | null> {
  const [jq, template] = [textFlag(flags, 'jq'), textFlag(flags, 'template')]
  if (jq === undefined && template === undefined) return null
  return createFilter({ jq, template }, libraries.jq)
}

async function loadTexts(io: Io, language = languageOf(io, filesForLanguage(io))): Promise<Translator> {
  return loadTranslator(language)
}

/** A broken file is reported by the command that needs it. */
function filesForLanguage(io: Io): Files | null {
  try {
    return readFiles(io)
  } catch {
    return null
  }
}

/** Without a terminal, names the alternative (behaviours T-11, T-12). */
async function openTerminalUi(
  cli: Cli,
  { openUi, stopListening }: { openUi: OpenUi | null; stopListening: () => void },
): Promise<number> {
  const { stdin, stdout } = cli.io
  if (!openUi || !stdout.isTTY || !stdin.isTTY) throw new AppError('usage', { reason: 'noTerminal', try: 'qd --help' })
  z.config({ jitless: false })
  stopListening()
  return openUi(cli)
}

type Texts = () => Promise<Translator>

async function fail(
  io: Io,
  { thrown, cli, texts, args }: { thrown: unknown; cli: Cli | null; texts: Texts; args: readonly string[] },
): Promise<number> {
  const error = isOutputFailed(thrown)
    ? new AppError('outputFailed', { text: thrown.message })
    : withOwnReason(toAppError(thrown), cli)
  await cli?.connection?.close().catch(() => undefined)
  const translator = await texts()
  const place = placeOf(error, cli, translator)
  const leftIn = (texts: Translator) => cli?.leftBehind(texts) ?? []
  if (wantsJson(args)) {
    const english = await loadTexts(io, 'en-US')
    io.stderr.write(errorJson(error, english, leftIn(english)))
  } else {
    const style = createStyle(io.stderr, io)
    io.stderr.write(
      formatError(error, { translator, style, place, left: leftIn(translator), typed: cli?.typedFlags ?? new Map() }),
    )
  }
  if (error.code === 'internal' && io.env.QD_DEBUG) io.stderr.write(`${stackOf(error.cause)}\n`)
  return exitCodeOf(error)
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}

/** Whether errors are JSON too. Words after `--` are a command for hosts. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const line = (end < 0 ? args : args.slice(0, end)).join('\n')
  return /^(--jsonl?(=|$)|(-o\n?|--output[\n=])jsonl?$)/m.test(line)
}

/** The second server of a command with two, if the call went there. */
function otherServer(error: AppError, cli: Cli | null): string | null {
  const server = callOf(error)?.server
  return cli?.target && server !== undefined && server !== cli.target.url ? server : null
}

/** Rejected sign-ins by cause: never signed in, expired, or an API token. */
function withOwnReason(error: AppError, cli: Cli | null): AppError {
  const began = cli?.connection?.signInKind ?? null
  if (error.code !== 'unauthorized' || began === null || otherServer(error, cli) !== null) return error
  return began === 'token'
    ? new AppError('badToken', error.params, { cause: error })
    : new AppError('unauthorized', { ...error.params, session: 'ended' }, { cause: error })
}

function placeOf(error: AppError, cli: Cli | null, { t }: Translator): ErrorPlace {
  if (!cli?.target) return null
  const other = otherServer(error, cli)
  if (other !== null) return t('ui.cli.error.address', { url: other })
  const { url, profile, paths, tokenFrom } = cli.target
  if (error.code === 'badToken' && tokenFrom !== null) return t('ui.cli.error.token', { url, source: tokenFrom })
  return profile === null || !Object.hasOwn(cli.files().user.profiles, profile)
    ? t('ui.cli.error.address', { url })
    : t('ui.cli.error.profile', { profile, url, path: paths.config })
}

/** Names what continues after Ctrl+C (behaviour C-23). */
async function interrupt(io: Io, { cli, texts, code }: { cli: Cli | null; texts: Texts; code: number }): Promise<void> {
  const translator = await texts()
  const { t } = translator
  const sent = (cli?.connection?.calls() ?? []).filter(({ method }) => method !== 'GET')
  const lines = sent.map(({ method, path, status }) => {
    const key = status === null ? 'ui.cli.interrupt.sent' : 'ui.cli.interrupt.answered'
    return `  ${t(key, { call: `${method} ${path}` })}`
  })
  const first = t(sent.length === 0 ? 'ui.cli.interrupt.nothing' : 'ui.cli.interrupt.interrupted')
  io.stderr.write(`\n${[first, ...lines, ...(cli?.leftBehind(translator) ?? [])].join('\n')}\n`)
  io.exit(code)
}
