import type { TextParams, Translator } from '../i18n/index.ts'

/** A sentence that is not made yet: a locale key and what it names. */
export interface TextRef {
  readonly key: string
  /** A text in its place is said in the same language. */
  readonly params?: Readonly<Record<string, TextParams[string] | TextRef>>
}

/** What sentences are made with. */
export type Say = Pick<Translator, 'say' | 'language' | 'has'>

/** The sentence. */
export function sayText(say: Say, { key, params }: TextRef): string {
  const said = Object.entries(params ?? {}).map(([name, value]) => [name, isText(value) ? sayText(say, value) : value])
  return say.say(key, params && Object.fromEntries(said))
}

function isText(value: TextParams[string] | TextRef): value is TextRef {
  return typeof value === 'object' && value !== null && 'key' in value
}
