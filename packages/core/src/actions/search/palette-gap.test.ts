import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../../tests/support/core/rows.ts'
import { actionKey, fieldKey, textKey, type Viewer } from '../../define/index.ts'
import { createTranslator, languages, loadLanguage } from '../../i18n/index.ts'
import { resources } from '../../resources/index.ts'
import { appCommands, createFrecency, createSearch, sayText } from '../index.ts'

/** A file manager is on screen too, whose commands are looked for. */
const openFolder = { entries: [], without: new Set<string>() }

const admin: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }

/** Keys of what the palette of an administrator answers, in one language. */
async function palette(language: (typeof languages)[number]) {
  const say = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
  const frecency = createFrecency({ now: () => 0 }, { load: () => ({}), save: () => undefined })
  const search = createSearch({
    front: 'web',
    resources,
    frecency,
    surroundings: () => ({ viewer: admin, view: viewOf({}), supports: () => true, say }),
  })
  const find = (query: string) =>
    search
      .query({ query, scope: null, here: 'server', pick: null, files: openFolder })
      .groups.flatMap(({ hits }) => hits.map(({ entry }) => entry.key))
  return { say, find }
}

/** What is typed, and what it must find. */
async function gaps(
  language: (typeof languages)[number],
  all: (say: Awaited<ReturnType<typeof palette>>['say']) => [string, string][],
) {
  const { say, find } = await palette(language)
  return all(say).flatMap(([query, key]) => (find(query).includes(key) ? [] : [`${query} does not find ${key}`]))
}

describe.each(languages)('issue 14: the palette reaches everything by its own words (%s)', (language) => {
  test('every entity and page', async () => {
    const missing = await gaps(language, (say) =>
      resources.map(({ name, wire }) => [
        say.say(textKey[wire.shape === 'one' ? 'one' : 'many'](name)),
        `command:go:${name}`,
      ]),
    )
    expect(missing).toEqual([])
  })
  test('every action', async () => {
    const missing = await gaps(language, (say) =>
      resources.flatMap(({ name, actions }) =>
        Object.values(actions)
          .filter((action) => action.name !== 'open')
          .map((action): [string, string] => [
            `${say.say(actionKey(action))} ${say.say(textKey.one(name))}`,
            `action:${name}.${action.name}`,
          ]),
      ),
    )
    expect(missing).toEqual([])
  })
  test('every setting', async () => {
    const missing = await gaps(language, (say) =>
      resources
        .filter(({ wire }) => wire.shape === 'one')
        .flatMap((one) =>
          one.form.flatMap(({ fields }) =>
            fields.map(({ field }): [string, string] => [say.say(fieldKey(one, field)), `command:go:${one.name}`]),
          ),
        ),
    )
    expect(missing).toEqual([])
  })
  test('every command, theme and language', async () => {
    const missing = await gaps(language, (say) =>
      appCommands(admin)
        .filter(({ resource }) => resource === null)
        .map(({ id, label }) => [sayText(say, label), `command:${id}`]),
    )
    expect(missing).toEqual([])
  })
})
