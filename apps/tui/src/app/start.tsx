import { observe } from '@legendapp/state'
import { server } from '@qd/core/resources'
import { render } from 'ink'
import { createScreenHost } from '../io.ts'
import { createInkStdout } from '../terminal/ink-stdout.ts'
import type { Look } from '../terminal/look.ts'
import { createPainter, groundOf } from '../terminal/roles.ts'
import { createRowReferences } from '../terminal/row-references.ts'
import { createScreenWriter } from '../terminal/screen-writer.ts'
import { createTerminal } from '../terminal/terminal.ts'
import type { StartTerminalUi } from '../terminal-ui.ts'
import { createLogin } from '../views/login.ts'
import { App } from './App.tsx'
import { writeCrashLog } from './crash-log.ts'
import { createDesk, type Desk } from './desk.ts'
import { createKeyboard } from './keyboard.ts'
import { listScreen } from './places.ts'
import { createTicker } from './ticker.ts'
import { createUi, type Ui } from './ui.ts'

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
  const references = createRowReferences()
  const stdout = createInkStdout(terminal, { writer, references })
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
  const press = createKeyboard(ui)

  terminal.take()
  ui.go(listScreen(ui, server))
  const ink = render(<App ui={ui} ticker={ticker} references={references} />, {
    stdin: terminal.inkStdin,
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  const redraw = () => {
    writer.forget()
    stdout.emit('resize')
    ticker.changed()
  }
  const stops = [
    terminal.onRedraw(redraw),
    terminal.onKey((event) => {
      if (event.type !== 'answer') return press(event)
      ui.look = lookOn(event.text)
      ticker.changed()
    }),
    host.onEnd((code) => finish(code)),
    host.onCrash((error) => crash(error)),
  ]
  host.stdout.on('resize', redraw)

  let crashed: string | null = null
  const crash = (error: unknown) => {
    crashed = writeCrashLog(settings.paths, error)
    finish(1)
  }
  const stopLogin = watchSignIn(ui)
  ticker.start()
  if (colorDepth > 4 && io.env.COLORFGBG === undefined) terminal.askGround()
  ui.desk.start()

  const code = await finished
  ticker.stop()
  stopLogin()
  for (const stop of stops) stop()
  host.stdout.off('resize', redraw)
  ink.unmount()
  terminal.giveBack()
  if (crashed !== null) io.stderr.write(`${ui.desk.translator.t('ui.tui.crash', { path: crashed })}\n`)
  io.setTimer(() => io.exit(code), longestGoodbyeMs)
  await ui.desk.close()
  return code
}

/** Saving what changed of the session takes no longer than this, or is left. */
const longestGoodbyeMs = 1500

function wordsOf({ settings, translator, format }: Desk): Pick<Desk, 'settings' | 'translator' | 'format'> {
  return { settings, translator, format }
}

/** Asks for a sign-in over the present screen while there is none, and takes the question away after it. */
function watchSignIn(ui: Ui): () => void {
  let login: ReturnType<typeof createLogin> | null = null
  let watched: Desk | null = null
  let stopDesk = () => {}
  const look = () => {
    const status = ui.desk.session.state$.status.get()
    const isNeeded = status === 'guest' || status === 'ended'
    ui.io.setTimer(() => {
      if (isNeeded && (!login || ui.overlay !== login)) {
        login = createLogin(ui)
        ui.open(login)
      } else if (!isNeeded && login) {
        ui.close(login)
        login = null
      }
    }, 0)
  }
  const follow = () => {
    if (ui.desk === watched) return
    watched = ui.desk
    login = null
    stopDesk()
    stopDesk = observe(look)
  }
  follow()
  ui.onDesk(follow)
  return () => stopDesk()
}
