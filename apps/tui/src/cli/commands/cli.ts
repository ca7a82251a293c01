import { AppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { createFormat, type Format, type Translator } from '@qd/core/i18n'
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
import { createStyle, type Style } from '../../base/output/style.ts'

/** Flags that every command takes. */
export interface GlobalFlags extends ConnectFlags {
  quiet?: boolean
  verbose?: boolean
  /** False with `--no-input`. */
  input?: boolean
  lang?: string
}

/** What a command works with: one run of `qd`. */
export interface Cli {
  readonly io: Io
  /** Texts of this run's language. Before `texts` was awaited there are none. */
  readonly translator: Translator
  readonly format: Format
  readonly flags: GlobalFlags
  /** The words of the command line, own aliases replaced by what they stand for. */
  readonly args: readonly string[]
  /** The flags of the command’s fields, under the names that were typed: a failure names them so. Set where flags are read. */
  readonly typedFlags: Map<string, string>
  readonly out: Style
  readonly err: Style
  readonly canAsk: boolean
  /** The connection of this run once there is one, and what it was or is to be made with. */
  readonly connection: Connection | null
  readonly target: Settings | null
  /** Loads the texts; commands are started with them unless they say `textsLater`. */
  texts(): Promise<Translator>
  files(): Files
  settings(): Promise<Settings>
  /** The connection of this run; made with other settings where they are given. */
  connect(settings?: Settings): Promise<Connection>
  /** True if `--jq` or `--template` decides what is written of JSON. */
  readonly isFiltered: boolean
  print(line: string): void
  /** One JSON document, or what the filter of this run makes of it, to stdout. */
  json(value: unknown): void
  /** The same for records, one a line. */
  jsonl(values: readonly unknown[]): void
  /** Anything else for a person, to stderr; silent with `--quiet`. */
  note(line: string): void
  warn(line: string): void
  /** A yes-or-no question; no is the default. Errors: `usage` where nobody can be asked. */
  ask(question: string): Promise<boolean>
  /** From now on the terminal is another's and nobody is asked. */
  stopAsking(): void
  /** Says what goes on without this program, should it be interrupted: `qd run get 214` for a run. */
  leaveBehind(say: (translator: Translator) => string): void
  /** What the first Ctrl+C does in place of ending at once: the command then ends by itself. Rejects where it cannot. */
  onInterrupt(end: () => Promise<void>): void
  /** The same, taken once; null where Ctrl+C ends at once. */
  takeInterrupt(): (() => Promise<void>) | null
  leftBehind(translator: Translator): readonly string[]
  /** One line of text; null when the person ended the input. */
  askText(question: string, options?: { secret?: boolean }): Promise<string | null>
}

/** Builds the context of one run. Files are read and connections made only when a command asks for them. */
export function createCli(
  io: Io,
  {
    texts,
    flags,
    filter = null,
    args = io.args,
  }: { texts(): Promise<Translator>; flags: GlobalFlags; filter?: WriteValues | null; args?: readonly string[] },
): Cli {
  let translator: Translator | undefined
  const err = createStyle(io.stderr, io)
  let format: Format | undefined
  let files: Files | undefined
  let settings: Promise<Settings> | undefined
  let connection: Connection | null = null
  let target: Settings | null = null
  let connecting: Promise<Connection> | undefined
  const left: ((translator: Translator) => string)[] = []
  let atInterrupt: (() => Promise<void>) | null = null
  let isLent = false
  const note = (line: string) => {
    if (!flags.quiet) io.stderr.write(`${line}\n`)
  }
  const onNotKept = (path: string) => void cli.texts().then(({ t }) => cli.warn(t('ui.cli.login.notKept', { path })))
  const askPassword = async () => {
    if (!cli.canAsk) return null
    const { t } = await cli.texts()
    return cli.askText(`${t('ui.stepUp.title')}:`, { secret: true })
  }
  const askCode = async () => {
    if (!cli.canAsk) return null
    const { t } = await cli.texts()
    return cli.askText(`${t('ui.secondFactor.code')}:`)
  }
  const onRecoveryLeft = (count: number) =>
    void cli.texts().then(({ t }) => cli.warn(t('ui.secondFactor.left', { count })))
  const trace = (line: string) => note(err.paint('muted', plainText(line)))
  const { isTTY } = io.stdout
  const filtered = (values: readonly unknown[], isIndented: boolean) => filter?.(values, { isTTY, isIndented })
  const cli: Cli = {
    io,
    flags,
    args,
    typedFlags: new Map(),
    get translator() {
      if (!translator) throw new AppError('internal')
      return translator
    },
    get format() {
      format ??= createFormat({ translator: cli.translator })
      return format
    },
    async texts() {
      translator ??= await texts()
      return translator
    },
    out: createStyle(io.stdout, io),
    err,
    get canAsk() {
      return io.stdin.isTTY && io.stderr.isTTY && flags.input !== false && !isLent
    },
    stopAsking() {
      isLent = true
    },
    get connection() {
      return connection
    },
    get target() {
      return target
    },
    files() {
      files ??= readFiles(io)
      return files
    },
    settings() {
      settings ??= resolveSettings(io, flags, cli.files())
      return settings
    },
    connect(chosen) {
      connecting ??= (async () => {
        target = chosen ?? (await cli.settings())
        connection = await connect(io, target, {
          onNotKept,
          askPassword,
          askCode,
          onRecoveryLeft,
          ...(flags.verbose ? { trace } : {}),
        })
        return connection
      })()
      return connecting
    },
    isFiltered: filter !== null,
    print: (line) => io.stdout.write(`${line}\n`),
    json: (value) => io.stdout.write(filtered([value], isTTY) ?? jsonDocument(value, io.stdout)),
    jsonl: (values) => io.stdout.write(filtered(values, false) ?? jsonLines(values)),
    note,
    warn: (line) => note(`${err.paint('warn', cli.translator.t('ui.cli.error.warning'))} ${line}`),
    leaveBehind: (say) => void left.push(say),
    onInterrupt(end) {
      atInterrupt = end
    },
    takeInterrupt() {
      const end = atInterrupt
      atInterrupt = null
      return end
    },
    leftBehind: (translator) => left.map((say) => say(translator)),
    async ask(question) {
      const answer = await cli.askText(`${question} [y/N]`)
      return /^(y|yes)$/i.test(answer?.trim() ?? '')
    },
    async askText(question, { secret = false } = {}) {
      if (!cli.canAsk) throw new AppError('usage', { reason: 'cannotAsk' })
      // The reading comes first: what is typed the moment the question shows must not be echoed.
      const answer = io.stdin.readLine({ secret })
      io.stderr.write(`${question} `)
      return answer
    },
  }
  return cli
}
