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
import { createStyle } from '../../base/output/style.ts'

export interface GlobalFlags extends ConnectFlags {
  quiet?: boolean
  verbose?: boolean
  input?: boolean
  lang?: string
}

export type Cli = ReturnType<typeof createCli>

export function createCli(
  io: Io,
  {
    texts,
    flags,
    filter = null,
    args = io.args,
  }: { texts(): Promise<Translator>; flags: GlobalFlags; filter?: WriteValues | null; args?: readonly string[] },
) {
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
  const cli = {
    io,
    flags,
    args,
    /** Flags by field as typed, for errors. Set where flags are read. */
    typedFlags: new Map<string, string>(),
    get translator(): Translator {
      if (!translator) throw new AppError('internal')
      return translator
    },
    get format(): Format {
      format ??= createFormat({ translator: cli.translator })
      return format
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
    get connection(): Connection | null {
      return connection
    },
    get target(): Settings | null {
      return target
    },
    files(): Files {
      files ??= readFiles(io)
      return files
    },
    settings(): Promise<Settings> {
      settings ??= resolveSettings(io, flags, cli.files())
      return settings
    },
    connect(chosen?: Settings): Promise<Connection> {
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
    print: (line: string) => io.stdout.write(`${line}\n`),
    json: (value: unknown) => io.stdout.write(filtered([value], isTTY) ?? jsonDocument(value, io.stdout)),
    jsonl: (values: readonly unknown[]) => io.stdout.write(filtered(values, false) ?? jsonLines(values)),
    /** To stderr; silent with `--quiet`. */
    note,
    warn: (line: string) => note(`${err.paint('warn', cli.translator.t('ui.cli.error.warning'))} ${line}`),
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
    /** No is the default. Errors: `usage` if nobody can be asked. */
    async ask(question: string): Promise<boolean> {
      const answer = await cli.askText(`${question} [y/N]`)
      return /^(y|yes)$/i.test(answer?.trim() ?? '')
    },
    async askText(question: string, { secret = false } = {}): Promise<string | null> {
      if (!cli.canAsk) throw new AppError('usage', { reason: 'cannotAsk' })
      // Read first: what is typed as the question appears must not be echoed.
      const answer = io.stdin.readLine({ secret })
      io.stderr.write(`${question} `)
      return answer
    },
  }
  return cli
}
