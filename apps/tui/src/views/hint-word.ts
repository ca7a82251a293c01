import { type Action, actionKey } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'

/** One word for an action, for hints: `edit`, `run`; its label in small letters where it has none. */
export function hintWord(translator: Translator, action: Action): string {
  const own = `ui.tui.verbs.${action.name}`
  return translator.has(own)
    ? translator.say(own)
    : translator.say(actionKey(action)).toLocaleLowerCase(translator.language)
}
