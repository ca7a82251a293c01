import { dirname, join } from 'node:path'
import { textKey } from '@qd/core/define'
import { server } from '@qd/core/resources'
import type { Paths } from '../../base/connect/config-file.ts'
import { writePrivate } from '../../base/connect/private-file.ts'
import { readFiles, type Settings } from '../../base/connect/settings.ts'
import { createScreenHost, type Io, type ScreenHost } from '../../base/io.ts'
import type { Cli } from '../../cli/commands/command.ts'
import { watchSignIn } from '../../places/sign-in/login.tsx'
import { FramesContext, UiContext } from '../../screen/hooks.ts'
import { mount } from '../../screen/mount.ts'
import { createFrames } from '../../screen/state/frames.ts'
import { createUi, type Ui } from '../../screen/state/ui.ts'
import { createWorkspace } from '../../screen/state/workspace.ts'
import { createScreenStyle, type ScreenStyle } from '../../screen/terminal/screen-style.ts'
import { createScreenWriter, type ScreenWriter } from '../../screen/terminal/screen-writer.ts'
import { createTerminal, type Terminal } from '../../screen/terminal/terminal.ts'
import { groundOf } from '../../screen/terminal/theme.ts'
import { Frame } from './Frame.tsx'
import { createKeyboard } from './keyboard.ts'
import { createPlaces } from './places.ts'
import { createSpeaker } from './speaker.ts'

const longestGoodbyeMs = 1500

export async function startTerminalUi({ cli }: { cli: Cli }): Promise<number> {
  const { io } = cli
  const settings = await cli.settings()
  const mode = uiModeOf(io)
  const host = createScreenHost()
  const terminal = createTerminal(host, io.setTimer, { mouse: mode.mouse, linear: mode.screenReader })
  const writer = createScreenWriter(terminal)
  terminal.take()
  try {
    // The title, before remembered data is read.
    if (!mode.screenReader)
      writer.show([[{ text: ` qd  ${cli.translator.say(textKey.many(server.name))}`, codes: '' }]])
    return await run({ cli, settings, mode, host, terminal, writer })
  } finally {
    terminal.giveBack()
  }
}

interface Parts {
  cli: Cli
  settings: Settings
  mode: ReturnType<typeof uiModeOf>
  host: ScreenHost
  terminal: Terminal
  writer: ScreenWriter
}

async function run({ cli, settings, mode, host, terminal, writer }: Parts): Promise<number> {
  const { io } = cli
  const { colorDepth } = io.stdout
  const styleOn = (osc11: string | null): ScreenStyle =>
    createScreenStyle({ colorDepth, ground: groundOf({ osc11, colorfgbg: io.env.COLORFGBG }), ascii: !io.unicode })
  const makeWorkspace: Ui['makeWorkspace'] = (changes) =>
    createWorkspace({
      io,
      settings,
      translator: cli.translator,
      format: cli.format,
      readOnly: mode.readOnly,
      onChange: () => frames.beat(),
      ...changes,
    })
  const frames = createFrames(io, {
    spinning: () => ui.working && !mode.screenReader,
    keysWait: () => terminal.keysWait,
  })
  let finish: (code: number) => void = () => undefined
  const finished = new Promise<number>((resolve) => {
    finish = resolve
  })
  const ui = createUi({
    io,
    terminal,
    style: styleOn(null),
    workspace: makeWorkspace({}),
    makeWorkspace(changes) {
      const { settings, translator, format } = ui.workspace
      return makeWorkspace({ settings, translator, format, ...changes })
    },
    places: createPlaces,
    onQuit: (code) => finish(code),
  })
  let crashed: string | null = null
  const crash = (error: unknown) => {
    crashed ??= writeCrashLog(settings.paths, error)
    finish(1)
  }

  ui.places.goTo(server)
  const view = (mode.screenReader ? speak : draw)({ ui, frames, terminal, writer, crash })
  const keyboard = createKeyboard(ui)
  const stops = [
    host.onResize(() => {
      ui.size = { columns: terminal.columns, rows: terminal.rows }
      view.redraw()
    }),
    terminal.onRedraw(view.redraw),
    terminal.onKey((event) => {
      if (event.type !== 'answer') return keyboard.press(event)
      ui.style = styleOn(event.text)
    }),
    terminal.onKeysApplied(() => {
      keyboard.rest()
      view.pressed()
    }),
    view.stop,
    frames.onFrame(keyboard.settle),
    host.onEnd((code) => finish(code)),
    host.onCrash(crash),
    watchSignIn(ui),
    frames.stop,
  ]
  frames.start()
  if (!mode.screenReader && colorDepth > 4 && io.env.COLORFGBG === undefined) terminal.askGround()
  ui.workspace.start()

  const code = await finished
  // A closed window sends several signals and takes the terminal; pending calls must still be sent.
  host.holdOn()
  const goodbye = ui.workspace.close()
  for (const stop of stops) stop()
  terminal.giveBack()
  if (crashed !== null) io.stderr.write(`${ui.workspace.translator.t('ui.tui.crash', { path: crashed })}\n`)
  io.setTimer(() => host.leave(code), longestGoodbyeMs)
  await goodbye
  return code
}

interface Shows {
  ui: Ui
  frames: ReturnType<typeof createFrames>
  terminal: Terminal
  writer: ScreenWriter
  crash(error: unknown): void
}

function draw({ ui, frames, terminal, writer, crash }: Shows) {
  const app = (
    <FramesContext value={frames}>
      <UiContext value={ui}>
        <Frame />
      </UiContext>
    </FramesContext>
  )
  const mounted = mount(app, { terminal, writer, onCrash: crash })
  return {
    redraw() {
      frames.flush()
      mounted.redraw()
    },
    pressed() {
      frames.flush()
      mounted.commit()
    },
    stop: mounted.stop,
  }
}

function speak({ ui, frames, terminal }: Shows) {
  const speaker = createSpeaker(ui, { ...frames, write: terminal.write })
  const stopListening = frames.onFrame(speaker.changed)
  speaker.changed()
  return {
    redraw: speaker.pressed,
    pressed() {
      // A frame that came while keys waited is due, or no other follows.
      frames.flush()
      speaker.pressed()
    },
    stop() {
      stopListening()
      speaker.stop()
    },
  }
}

function writeCrashLog(paths: Paths, error: unknown): string {
  const path = join(dirname(paths.sessions), 'crash.log')
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  try {
    writePrivate(path, `${text}\n`)
    return path
  } catch {
    return text
  }
}

/** Precedence: flag, environment (`1` or `0`), user file. Errors: `usage`. */
function uiModeOf(io: Io) {
  const { user } = readFiles(io)
  const wanted = (flag: string, variable: string | undefined, saved: boolean | undefined) =>
    io.args.includes(flag) || (variable ? variable !== '0' : (saved ?? false))
  return {
    readOnly: io.args.includes('--read-only'),
    /** Off by default, so that the terminal's selection works (behaviour T-28). */
    mouse: wanted('--mouse', io.env.QD_MOUSE, user.mouse),
    /** Lines instead of a screen (behaviour T-29). */
    screenReader: wanted('--screen-reader', io.env.QD_SCREEN_READER, user.screen_reader),
  }
}
