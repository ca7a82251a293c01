import type { TextParams, Translator } from '../i18n/index.ts'

/** A translatable text: key and parameters. */
export interface TextRef {
  readonly key: string
  /** A nested TextRef is translated in the same language. */
  readonly params?: Readonly<Record<string, TextParams[string] | TextRef>>
}

export type Say = Pick<Translator, 'say' | 'language' | 'has'>

export function sayText(say: Say, { key, params }: TextRef): string {
  const said = Object.entries(params ?? {}).map(([name, value]) => [name, isText(value) ? sayText(say, value) : value])
  return say.say(key, params && Object.fromEntries(said))
}

function isText(value: TextParams[string] | TextRef): value is TextRef {
  return typeof value === 'object' && value !== null && 'key' in value
}
