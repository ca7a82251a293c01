import type { Aliases } from '@qd/core/actions'
import { AppError, toAppError } from '@qd/core/errors'
import { createFormat, type Language } from '@qd/core/i18n'
import { server } from '@qd/core/resources'
import type { UserConfig } from '../../base/connect/config-file.ts'
import { readFiles, resolveSettings } from '../../base/connect/settings.ts'
import { loadTranslator } from '../../base/language.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Workspace } from '../../screen/state/workspace.ts'

/** A broken file is reported when a connection is changed. */
function userFile(ui: Ui): Pick<UserConfig, 'profiles' | 'aliases'> {
  try {
    return readFiles(ui.io).user
  } catch {
    return { profiles: {}, aliases: {} }
  }
}

export const profileNames = (ui: Ui): readonly string[] => Object.keys(userFile(ui).profiles)

export const ownAliases = (ui: Ui): Aliases => userFile(ui).aliases

export async function switchProfile(ui: Ui, name: string): Promise<boolean> {
  try {
    const files = readFiles(ui.io)
    if (!Object.hasOwn(files.user.profiles, name)) {
      ui.say(ui.workspace.t('ui.tui.command.noProfile', { name }), 'bad')
      return false
    }
    const env = { ...ui.io.env, QD_URL: undefined, QD_USER: undefined, QD_PASSWORD: undefined, QD_TOKEN: undefined }
    const settings = await resolveSettings({ ...ui.io, env }, { profile: name }, files)
    ui.workspace.remembered.flush()
    enter(ui, ui.makeWorkspace({ settings }))
    ui.say(ui.workspace.t('ui.tui.switched', { name }), 'ok')
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

export async function switchLanguage(ui: Ui, language: Language): Promise<void> {
  const translator = await loadTranslator(language)
  ui.workspace.session.setLanguage(language)
  ui.workspace.remembered.flush()
  enter(ui, ui.makeWorkspace({ translator, format: createFormat({ translator }) }))
}

function enter(ui: Ui, workspace: Workspace): void {
  ui.setWorkspace(workspace)
  ui.places.goTo(server)
  workspace.start()
}
