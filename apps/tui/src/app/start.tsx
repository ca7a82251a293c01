import { textKey } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { render } from 'ink'
import type { Cli } from '../commands/cli.ts'
import type { Settings } from '../connect/settings.ts'
import { createScreenHost, type ScreenHost } from '../io.ts'
import { createInkStdout } from '../terminal/ink-stdout.ts'
import type { Look } from '../terminal/look.ts'
import { createPainter, groundOf } from '../terminal/roles.ts'
import { createRowReferences } from '../terminal/row-references.ts'
import { createScreenWriter, type ScreenWriter } from '../terminal/screen-writer.ts'
import { createTerminal, type Terminal } from '../terminal/terminal.ts'
import type { StartTerminalUi } from '../terminal-ui.ts'
import { App } from './App.tsx'
import { writeCrashLog } from './crash-log.ts'
import { createDesk, type Desk } from './desk.ts'
import { createKeyboard } from './keyboard.ts'
import { listScreen } from './places.ts'
import { createTicker } from './ticker.ts'
import { createUi, type Ui } from './ui.ts'
import { watchSignIn } from './watch-sign-in.ts'

/** Saving what changed of the session takes no longer than this, or is left. */
const longestGoodbyeMs = 1500

/** The first frame stands on what was known last time; the server is asked after it (behaviour T-01). */
export const startTerminalUi: StartTerminalUi = async ({ cli }) => {
  const { io } = cli
  const settings = await cli.settings()
  const host = createScreenHost()
  const terminal = createTerminal(host, io.setTimer)
  const writer = createScreenWriter({
    get columns() {
      return terminal.columns
    },
    get rows() {
      return terminal.rows
    },
    write: (text) => void host.stdout.write(text),
  })
  terminal.take()
  try {
    // The place, before what is remembered of it is read.
    writer.show(` qd  ${cli.translator.say(textKey.many(server.name))}`)
    return await run({ cli, settings, host, terminal, writer })
  } finally {
    terminal.giveBack()
  }
}

interface Parts {
  cli: Cli
  settings: Settings
  host: ScreenHost
  terminal: Terminal
  writer: ScreenWriter
}

/** Everything on the taken screen; answers the exit code. */
async function run({ cli, settings, host, terminal, writer }: Parts): Promise<number> {
  const { io } = cli
  const { colorDepth } = io.stdout
  const lookOn = (osc11: string | null): Look => ({
    paint: createPainter({ colorDepth, ground: groundOf({ osc11, colorfgbg: io.env.COLORFGBG }) }),
    ascii: !io.unicode,
    colored: colorDepth > 0,
  })
  const makeDesk: Ui['makeDesk'] = (changes) =>
    createDesk({
      io,
      settings,
      translator: cli.translator,
      format: cli.format,
      readOnly: io.args.includes('--read-only'),
      onChange: () => ticker.changed(),
      ...changes,
    })
  const ticker = createTicker(io, { spinning: () => ui.working })
  let finish: (code: number) => void = () => undefined
  const finished = new Promise<number>((resolve) => {
    finish = resolve
  })
  const ui = createUi({
    io,
    terminal,
    look: lookOn(null),
    desk: makeDesk({}),
    makeDesk: (changes) => makeDesk({ ...wordsOf(ui.desk), ...changes }),
    onChange: () => ticker.changed(),
    onQuit: (code) => finish(code),
  })
  let crashed: string | null = null
  const crash = (error: unknown) => {
    crashed ??= writeCrashLog(settings.paths, error)
    finish(1)
  }

  ui.go(listScreen(ui, server))
  const references = createRowReferences()
  const stdout = createInkStdout(terminal, { writer, references })
  const ink = render(<App ui={ui} ticker={ticker} references={references} />, {
    stdin: terminal.inkStdin,
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  // An error while drawing ends Ink, not the program.
  ink.waitUntilExit().catch(crash)
  const redraw = () => {
    writer.forget()
    references.forget()
    ticker.changed()
  }
  const press = createKeyboard(ui)
  host.stdout.on('resize', redraw)
  const stops = [
    () => void host.stdout.off('resize', redraw),
    terminal.onRedraw(redraw),
    terminal.onKey((event) => {
      if (event.type !== 'answer') return press(event)
      ui.look = lookOn(event.text)
      ticker.changed()
    }),
    host.onEnd((code) => finish(code)),
    host.onCrash(crash),
    watchSignIn(ui),
    () => ticker.stop(),
  ]
  ticker.start()
  if (colorDepth > 4 && io.env.COLORFGBG === undefined) terminal.askGround()
  ui.desk.start()

  const code = await finished
  for (const stop of stops) stop()
  ink.unmount()
  terminal.giveBack()
  if (crashed !== null) io.stderr.write(`${ui.desk.translator.t('ui.tui.crash', { path: crashed })}\n`)
  io.setTimer(() => io.exit(code), longestGoodbyeMs)
  await ui.desk.close()
  return code
}

function wordsOf({ settings, translator, format }: Desk): Pick<Desk, 'settings' | 'translator' | 'format'> {
  return { settings, translator, format }
}
