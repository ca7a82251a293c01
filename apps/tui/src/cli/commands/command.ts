import { lazy, type Resource, type ResourceName, type Viewer } from '@qd/core/define'
import { AppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { createFormat, type Format, nounOf, oneOf, type Translator } from '@qd/core/i18n'
import type { Sort } from '@qd/core/targets'
import { changeUserConfig, type UserConfig } from '../../base/connect/config-file.ts'
import { type Connection, connect } from '../../base/connect/connection.ts'
import {
  type ConnectFlags,
  type Files,
  readFiles,
  resolveSettings,
  type Settings,
} from '../../base/connect/settings.ts'
import type { Io } from '../../base/io.ts'
import type { WriteValues } from '../../base/output/filter.ts'
import { jsonDocument, jsonLines } from '../../base/output/json.ts'
import { createStyle } from '../../base/output/style.ts'

export type HelpText = string | ((translator: Translator) => string)

export function helpText(translator: Translator, text: HelpText): string {
  return typeof text === 'string' ? translator.say(text) : text(translator)
}

export function aboutResource(key: string, { name, wire }: Resource, number: 'one' | 'many' = 'many'): HelpText {
  return ({ say, language }) => {
    const noun = say(`resources.${name}.${number}`)
    const isOneOfMany = number === 'one' && wire.shape === 'many'
    return say(key, { resource: isOneOfMany ? oneOf(noun, language) : nounOf(noun, language) })
  }
}

/** For completion. `many`: several, with commas. `query`: terms of a query on these records. */
export type Values =
  | { kind: 'words'; words(): readonly string[]; many?: true }
  | { kind: 'records'; of: ResourceName; many?: true }
  | { kind: 'query'; of: ResourceName }
  | { kind: 'profiles' }
  | { kind: 'aliases' }
  | { kind: 'commands' }

export interface Flag {
  flags: string
  help: HelpText
  /** Omitted if the flag text says it: `<a|b>`, `<file>`. */
  values?: Values
  also?: string
  /** Hidden from help; `completed` is still completed. */
  hidden?: true | 'completed'
}

/** By camel-case name; missing if not given. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Command {
  name: string
  help: HelpText
  args?: string
  argHelp?: Readonly<Record<string, HelpText>>
  values?: Values
  flags?: readonly Flag[]
  /** Default output, as for `-o`. Omitted: a table. */
  writes?: 'yaml'
  examples: readonly string[]
  /** Loads texts itself only when needed, so that programs start faster. */
  textsLater?: true
  /** Words after `--` are a command for hosts. */
  tail?: true
  isDefault?: true
  /** Returns the exit code, by default 0. Errors: AppError. */
  run(cli: Cli, args: readonly (string | undefined)[], flags: FlagValues): Promise<number | undefined> | Promise<void>
}

export interface CommandGroup {
  name: string
  help: HelpText
  commands: readonly Command[]
}

export const partlyCode = 6

export const nobody: Viewer = { id: 0, username: '', role: 0, scopes: null }

export const wordsIn = (args: Parameters<Command['run']>[1]): readonly string[] =>
  args.flat().filter((word) => word !== undefined)

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** A whole number of a flag, by default `usual`. Errors: `usage`. */
export function numberFlag(
  flags: FlagValues,
  name: string,
  {
    usual,
    min = 1,
    max = 9_999_999,
    reason = 'badNumber',
  }: { usual: number; min?: number; max?: number; reason?: string },
): number {
  const text = textFlag(flags, name)
  if (text === undefined) return usual
  if (/^(0|[1-9]\d{0,6})$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text)
  throw usageError(reason, { flag: `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, text })
}

export interface GlobalFlags extends ConnectFlags {
  quiet?: boolean
  verbose?: boolean
  input?: boolean
  lang?: string
}

export interface Program {
  readonly tree: readonly (Command | CommandGroup)[]
  /** Runs another line, for `qd help`. */
  parse(args: readonly string[]): Promise<void>
  /** Prints a list and its changes until interrupted. Returns the exit code. Errors: AppError of the first calls. */
  watch: ((cli: Cli, watched: WatchedList) => Promise<number>) | null
  serveTools: ((cli: Cli) => Promise<number>) | null
}

export type OutputChoice =
  | { kind: 'table' | 'plain'; header: boolean; isWide?: true }
  | { kind: 'json' | 'jsonl' | 'yaml' | 'name'; fields: readonly string[] | null }

export interface WatchedList {
  resource: Resource
  text: string
  sort: Sort
  limit: number
  choice: OutputChoice
  flags: FlagValues
  /** Those that are looked at: of the query, the order and the output. */
  fields: readonly string[]
}

export type Cli = ReturnType<typeof createCli>

export function createCli(
  io: Io,
  {
    texts,
    flags,
    filter = null,
    args = io.args,
    program = null,
  }: {
    texts(): Promise<Translator>
    flags: GlobalFlags
    filter?: WriteValues | null
    args?: readonly string[]
    program?: Program | null
  },
) {
  let translator: Translator | undefined
  const err = createStyle(io.stderr, io)
  const format = lazy(() => createFormat({ translator: cli.translator }))
  let connecting: Promise<Connection> | undefined
  const left: ((translator: Translator) => string)[] = []
  let atInterrupt: (() => Promise<void>) | null = null
  let isLent = false
  const note = (line: string) => {
    if (!flags.quiet) io.stderr.write(`${line}\n`)
  }
  const onNotKept = (path: string) => void cli.texts().then(({ t }) => cli.warn(t('ui.cli.login.notKept', { path })))
  const askIfPossible = (key: 'ui.stepUp.title' | 'ui.secondFactor.code', secret: boolean) => async () =>
    cli.canAsk ? cli.askText(`${(await cli.texts()).t(key)}:`, { secret }) : null
  const onRecoveryLeft = (count: number) =>
    void cli.texts().then(({ t }) => cli.warn(t('ui.secondFactor.left', { count })))
  const trace = (line: string) => note(err.paint('muted', plainText(line)))
  const { isTTY } = io.stdout
  const filtered = (values: readonly unknown[], isIndented: boolean) => filter?.(values, { isTTY, isIndented })
  const cli = {
    io,
    flags,
    args,
    get program(): Program {
      if (!program) throw new AppError('internal')
      return program
    },
    /** Flags by field as typed, for errors. Set where flags are read. */
    typedFlags: new Map<string, string>(),
    get translator(): Translator {
      if (!translator) throw new AppError('internal')
      return translator
    },
    t: (...text: Parameters<Translator['t']>) => cli.translator.t(...text),
    say: (...text: Parameters<Translator['say']>) => cli.translator.say(...text),
    get language() {
      return cli.translator.language
    },
    get format(): Format {
      return format()
    },
    /** Awaited before a command starts, unless it is `textsLater`. */
    async texts(): Promise<Translator> {
      translator ??= await texts()
      return translator
    },
    out: createStyle(io.stdout, io),
    err,
    get canAsk(): boolean {
      return io.stdin.isTTY && io.stderr.isTTY && flags.input !== false && !isLent
    },
    /** The terminal belongs to another program from now on. */
    stopAsking() {
      isLent = true
    },
    connection: null as Connection | null,
    target: null as Settings | null,
    files: lazy((): Files => readFiles(io)),
    settings: lazy((): Promise<Settings> => resolveSettings(io, flags, cli.files())),
    changeConfig: (change: (config: UserConfig) => UserConfig): Promise<void> =>
      changeUserConfig(cli.files().paths.config, io.platform, change),
    connect(chosen?: Settings): Promise<Connection> {
      connecting ??= (async () => {
        cli.target = chosen ?? (await cli.settings())
        cli.connection = await connect(io, cli.target, {
          ...{ onNotKept, onRecoveryLeft },
          askPassword: askIfPossible('ui.stepUp.title', true),
          askCode: askIfPossible('ui.secondFactor.code', false),
          ...(flags.verbose ? { trace } : {}),
        })
        return cli.connection
      })()
      return connecting
    },
    /** Errors: `unsupported` if the server lacks it. */
    async demand(capability: string): Promise<void> {
      const { client } = await cli.connect()
      if (!(await client.capabilities()).includes(capability)) throw new AppError('unsupported', { capability })
    },
    isFiltered: filter !== null,
    print: (line: string) => io.stdout.write(`${line}\n`),
    json: (value: unknown) => io.stdout.write(filtered([value], isTTY) ?? jsonDocument(value, io.stdout)),
    jsonl: (values: readonly unknown[]) => io.stdout.write(filtered(values, false) ?? jsonLines(values)),
    /** To stderr; silent with `--quiet`. */
    note,
    warn: (line: string) => note(`${err.paint('warn', cli.t('ui.cli.error.warning'))} ${line}`),
    /** Says what continues after an interrupt: `qd run get 214` for a run. */
    leaveBehind: (say: (translator: Translator) => string) => void left.push(say),
    /** Replaces the first Ctrl+C: the command then ends by itself. Rejects if it can't. */
    onInterrupt(end: () => Promise<void>) {
      atInterrupt = end
    },
    /** Takes it once; null if Ctrl+C ends at once. */
    takeInterrupt() {
      const end = atInterrupt
      atInterrupt = null
      return end
    },
    leftBehind: (translator: Translator): readonly string[] => left.map((say) => say(translator)),
    /** Says that nothing was done. Returns the exit code of a no. */
    declined(): number {
      note(cli.t('ui.cli.confirm.declined'))
      return 1
    },
    pause: (ms: number) => new Promise<void>((resolve) => void io.setTimer(resolve, ms)),
    /** No is the default. Errors: `usage` if nobody can be asked. */
    async ask(question: string): Promise<boolean> {
      const answer = await cli.askText(`${question} [y/N]`)
      return /^(y|yes)$/i.test(answer?.trim() ?? '')
    },
    /** Asks for something that is needed. Errors: `usage` if nobody can be asked, `cancelled` without an answer. */
    async demandText(question: string, { secret = false, reason = 'cannotAsk', hint = '' } = {}): Promise<string> {
      if (!cli.canAsk) throw usageError(reason, { ...(hint && { try: hint }) })
      const answer = (await cli.askText(question, { secret })) ?? ''
      if ((secret ? answer : answer.trim()) === '') throw new AppError('cancelled')
      return answer
    },
    async askText(question: string, { secret = false } = {}): Promise<string | null> {
      if (!cli.canAsk) throw usageError('cannotAsk')
      // Read first: what is typed as the question appears must not be echoed.
      const answer = io.stdin.readLine({ secret })
      io.stderr.write(`${question} `)
      return answer
    },
  }
  return cli
}
