import type { TextParams, Translator } from '../i18n/index.ts'

/** A sentence that is not made yet: a locale key and what it names. */
export interface TextRef {
  readonly key: string
  readonly params?: TextParams
}

/** What sentences are made with. */
export type Say = Pick<Translator, 'say' | 'language' | 'has'>

/** The sentence. */
export function sayText(say: Say, { key, params }: TextRef): string {
  return say.say(key, params)
}
