import type errors from '../../../../locales/en-US/errors.json'
import type resources from '../../../../locales/en-US/resources.json'
import type ui from '../../../../locales/en-US/ui.json'

/** The forms of a plural are one key. */
type KeyOf<Name extends string> = Name extends `${infer Stem}_other`
  ? Stem
  : Name extends `${string}_one`
    ? never
    : Name

type KeysIn<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string ? KeyOf<Name> : `${Name}.${KeysIn<Texts[Name]>}`
}[keyof Texts & string]

/** Every text that a person can read, by its key. */
export type TextKey = KeysIn<{ errors: typeof errors; resources: typeof resources; ui: typeof ui }>
