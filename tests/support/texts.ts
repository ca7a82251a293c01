import { readFileSync } from 'node:fs'
import { appCommands, baseKeys, keyGroups, searchPrefixes } from '@qd/core/actions'
import { neededKeys } from '@qd/core/define'
import { errorTraits, problemCodes } from '@qd/core/errors'
import type { Language } from '@qd/core/i18n'
import { resources } from '@qd/core/resources'
import { isTest, readSource, root, sourceFiles, withoutComments } from './sources.ts'

/** Texts of one language by full key, plural forms apart. */
export type FlatTexts = ReadonlyMap<string, string>

interface Tree {
  [key: string]: string | Tree
}

function flatten(node: Tree, path: string): [string, string][] {
  return Object.entries(node).flatMap(([key, child]) =>
    typeof child === 'string' ? [[`${path}.${key}`, child] as [string, string]] : flatten(child, `${path}.${key}`),
  )
}

/** All texts of a language. */
export function readTexts(language: Language): FlatTexts {
  const spaces = ['ui', 'resources', 'errors'].flatMap((space) =>
    flatten(JSON.parse(readFileSync(`${root}locales/${language}/${space}.json`, 'utf8')) as Tree, space),
  )
  return new Map(spaces)
}

const suffix = /_(zero|one|two|few|many|other)$/

/** Keys with the plural forms of each; `null` for a text that has no plural. A plural is known by its `_other`. */
export function keysOf(texts: FlatTexts): Map<string, string[] | null> {
  const keys = new Map<string, string[] | null>()
  for (const key of texts.keys()) {
    const stem = key.replace(suffix, '')
    const form = suffix.exec(key)?.[1]
    if (form !== undefined && texts.has(`${stem}_other`)) keys.set(stem, [...(keys.get(stem) ?? []), form])
    else keys.set(key, null)
  }
  return keys
}

/** Plural forms that a language must have. */
export function pluralForms(language: Language): string[] {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories
}

/** Names in `{{…}}`, in alphabetical order. */
export function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]!))].sort()
}

/** Every key that definitions and tables make, without looking at code. */
export function derivedKeys(): Set<string> {
  const admin = { id: 1, username: 'admin', role: 0, scopes: null }
  const commands = appCommands(admin).flatMap(({ label, aliasKey }) => [
    label.key,
    ...(aliasKey === null ? [] : [aliasKey]),
  ])
  return new Set([
    ...resources.flatMap(neededKeys),
    ...Object.keys(errorTraits).map((code) => `errors.${code}`),
    ...problemCodes.map((code) => `errors.problem.${code}`),
    ...baseKeys.map(({ command }) => `ui.keys.${command}`),
    ...keyGroups.map((group) => `ui.keyGroups.${group}`),
    ...searchPrefixes.map(({ label }) => label.key),
    ...commands,
  ])
}

const quoted = /(['"`])((?:ui|errors|resources)\.[\w-]+(?:\.(?:[\w-]|\$\{[^}`]*\})+)*)\1/g

/** Keys written in the code: whole ones, and patterns for those with a part that is filled in. */
export function writtenKeys(): { whole: Map<string, string>; patterns: RegExp[] } {
  const whole = new Map<string, string>()
  const patterns: RegExp[] = []
  for (const file of sourceFiles().filter((path) => !isTest(path) && !path.startsWith('scripts/'))) {
    for (const [, , key] of withoutComments(readSource(file)).matchAll(quoted)) {
      if (key!.includes('${'))
        patterns.push(new RegExp(`^${key!.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`))
      else whole.set(key!, file)
    }
  }
  return { whole, patterns }
}
