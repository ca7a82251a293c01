import { AppError, toAppError } from '@qd/core/errors'
import { createFormat, type Language } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import { readFiles, resolveSettings } from '../connect/settings.ts'
import { loadTranslator } from '../texts.ts'
import type { Desk } from './desk.ts'
import { listScreen } from './places.ts'
import type { Ui } from './ui.ts'

/** Names of the saved connections. */
export function profileNames(ui: Ui): readonly string[] {
  try {
    return Object.keys(readFiles(ui.io).user.profiles)
  } catch {
    return []
  }
}

/** Changes to another saved connection; false, with the reason on the flash line, when that cannot be. */
export async function switchProfile(ui: Ui, name: string): Promise<boolean> {
  try {
    const files = readFiles(ui.io)
    if (!Object.hasOwn(files.user.profiles, name)) {
      ui.say(ui.desk.translator.t('ui.tui.command.noProfile', { name }), 'bad')
      return false
    }
    const env = { ...ui.io.env, QD_URL: undefined, QD_USER: undefined, QD_PASSWORD: undefined, QD_TOKEN: undefined }
    const settings = await resolveSettings({ ...ui.io, env }, { profile: name }, files)
    ui.desk.shelf.flush()
    enter(ui, ui.makeDesk({ settings }))
    ui.say(ui.desk.translator.t('ui.tui.switched', { name }), 'ok')
    return true
  } catch (thrown) {
    const error = toAppError(thrown)
    ui.fail(
      error.code === 'usage'
        ? new AppError('failed', { text: `${error.params.reason} ${error.params.path ?? ''}` })
        : error,
    )
    return false
  }
}

/** Shows everything in another language, at the same connection. */
export async function switchLanguage(ui: Ui, language: Language): Promise<void> {
  const translator = await loadTranslator(language)
  ui.desk.session.setLanguage(language)
  ui.desk.shelf.flush()
  enter(ui, ui.makeDesk({ translator, format: createFormat({ translator }) }))
}

function enter(ui: Ui, desk: Desk): void {
  ui.setDesk(desk)
  ui.go(listScreen(ui, server))
  desk.start()
}
