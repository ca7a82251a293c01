import { type Action, actionKey } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { inSentence } from '../app/in-sentence.ts'

/** One word for an action, for hints: `edit`, `run`; its label in small letters where it has none. */
export function hintWord(translator: Translator, action: Action): string {
  const own = `ui.tui.verbs.${action.name}`
  return translator.has(own) ? translator.say(own) : inSentence(translator, translator.say(actionKey(action)))
}
