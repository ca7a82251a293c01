import { cliWords, conflicts, createSearch, keyTable, type Platform, type Surface } from '@qd/core/actions'
import { actionKey, allowed, type Field, holds, type Resource, resourceNames, type View } from '@qd/core/define'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { resourceByName, resources } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { readSource } from '../support/sources.ts'
import { derivedKeys, keysOf, readTexts } from '../support/texts.ts'
import { readWords } from '../support/words.ts'

const admin = { id: 1, username: 'admin', role: 0, scopes: null }
const view: View = {
  now: 0,
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
}
const actions = resources.flatMap((resource) => Object.values(resource.actions).map((action) => ({ resource, action })))
const formFields = (resource: Resource) => resource.form.flatMap(({ fields }) => fields)

describe.each(resources.map((resource) => [resource.name, resource] as const))('%s', (name, resource) => {
  const { fields } = resource
  const known = (names: readonly string[]) => names.filter((field) => !(field in fields))
  const shown = (field: string) => fields[field] && !fields[field].hidden && fields[field].kind !== 'part'

  test('its word is one of the settled ones', () => expect(resourceNames).toContain(name))

  test('columns, order, title, search, facet and form name fields that exist and are not hidden', () => {
    const named = [
      resource.title,
      resource.sort.field,
      ...resource.columns.map(({ field }) => field),
      ...resource.search,
      ...(resource.facet === null ? [] : [resource.facet]),
      ...(resource.state === null ? [] : [resource.state.field]),
      ...formFields(resource).map(({ field }) => field),
    ]
    expect(known(named)).toEqual([])
    expect(named.filter((field) => !shown(field))).toEqual([])
    const listed = [...resource.columns.map(({ field }) => field), ...resource.search]
    expect(listed.filter((field) => fields[field]?.formOnly)).toEqual([])
    expect(new Set(resource.columns.map(({ field }) => field)).size).toBe(resource.columns.length)
  })

  test('the title is always in sight, and so is how a record stands', () => {
    const columns = Object.fromEntries(resource.columns.map(({ field, show }) => [field, show]))
    if (resource.columns.length > 0) expect(columns[resource.title]).toBe('always')
  })

  test('facet and state are choices', () => {
    for (const field of [resource.facet, resource.state?.field ?? null]) {
      if (field !== null) expect(fields[field]?.kind).toBe('choice')
    }
  })

  test('each input is in the form once, or hidden', () => {
    const inForm = formFields(resource).map(({ field }) => field)
    const visible = Object.keys(resource.input.shape).filter((field) => !fields[field]?.hidden)
    expect([...inForm].sort()).toEqual(visible.sort())
    expect(Object.keys(resource.initial).sort()).toEqual(Object.keys(resource.input.shape).sort())
  })

  test('a form’s kinds can be typed', () => {
    const kinds = formFields(resource).map(({ field }) => fields[field]!.kind)
    expect(kinds.filter((kind) => ['trend', 'targets', 'part'].includes(kind))).toEqual([])
  })

  test('conditions test inputs that exist, for values they can have, and do not wait for each other', () => {
    const rules = formFields(resource).flatMap(({ field, when }) =>
      Object.entries(when).map(([on, test]) => ({ field, on, test })),
    )
    for (const { field, on, test } of rules) {
      expect(Object.keys(resource.input.shape), `${field} waits for ${on}`).toContain(on)
      expect(on).not.toBe(field)
      const values = 'is' in test! ? [test.is] : 'not' in test! ? [test.not] : 'in' in test! ? test.in : []
      const of = fields[on] as Field
      if (of.kind === 'choice') expect(Object.values(of.options)).toEqual(expect.arrayContaining([...values]))
    }
    const gates = new Set(rules.map(({ on }) => on))
    const start = formFields(resource).filter(({ field, when }) => gates.has(field) && !holds(when, resource.initial))
    expect(start.map(({ field }) => field)).toEqual([])
  })

  test('N-03 aimed at some servers it reaches exactly those', () => {
    if (!resource.withTargets) return
    const values = { ...resource.initial, ...resource.withTargets(resource.initial, [3, 5]) }
    const named = resource.targets ?? resource.about
    expect(named?.({ id: 0, ...values })).toEqual({ mode: 'only', servers: [3, 5] })
    expect(known(Object.keys(values))).toEqual([])
  })

  test('blocked actions test fields that exist', () => {
    for (const action of Object.values(resource.actions)) {
      expect(known(action.blocked.flatMap(({ when }) => Object.keys(when))), action.name).toEqual([])
    }
  })

  test('references lead to known entities, aliases belong to one field', () => {
    const targets = Object.values(fields).flatMap((field) => ('to' in field ? [field.to] : []))
    expect(targets.filter((to) => !resourceNames.includes(to))).toEqual([])
    const words = Object.entries(fields).flatMap(([field, { aliases = [] }]) => [field, ...aliases])
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  })

  test('fields that lead to an entity of a later version are hidden in forms', () => {
    const early = formFields(resource).filter(({ field }) => {
      const definition = fields[field]!
      return 'to' in definition && !resourceByName(definition.to)
    })
    expect(early.map(({ field }) => field)).toEqual([])
  })

  test('scopes are those of the contract', () => {
    const scopes = [...Object.values(resource.scopes), ...Object.values(resource.actions).map(({ scope }) => scope)]
    const wrong = scopes.filter(
      (scope) =>
        scope !== null &&
        !/^nezha:(inventory|server|service|alertrule|cron|ddns|nat|notification|notification-group|transfer|admin):(read|write|delete|exec|\*)$/.test(
          scope,
        ),
    )
    expect(wrong).toEqual([])
  })

  test('what writes is not for guests, and has a scope unless it is one’s own', () => {
    for (const action of Object.values(resource.actions)) {
      const writes = action.wire !== null || ['create', 'edit', 'duplicate'].includes(action.name)
      if (!writes) continue
      expect(action.audience, action.name).not.toBe('guest')
      if (resource.scopes.write !== null) expect(action.scope, action.name).not.toBeNull()
    }
  })

  test('what cannot be undone asks first', () => {
    const silent = Object.values(resource.actions).filter(
      ({ wire, confirm, args }) => wire !== null && wire.method !== 'GET' && confirm === 'none' && !args,
    )
    expect(silent.map(({ name }) => name).filter((name) => !(name in undoable))).toEqual([])
  })
})

/** Actions that need no question, and why. */
const undoable: Readonly<Record<string, string>> = {
  shell: 'opens a window, which can be closed',
  pause: 'taken back by resume',
  resume: 'taken back by pause',
  check: 'a probe more than the schedule asks for changes nothing',
  ack: 'tells others that somebody looks; nothing is lost',
  keep: 'says yes to what was saved a minute ago; it can be changed again',
  revert: 'takes back what was saved a minute ago; it can be saved again',
  unsilence: 'taken back by silence',
  backtest: 'only reads',
  test: 'one message that says it is a test; the person asked for it',
  update: 'the addresses that are to be published anyway, once more',
}

describe('keys', () => {
  const cases = (['web', 'tui'] as Surface[]).flatMap((surface) =>
    [null, ...resources].flatMap((resource) =>
      (surface === 'web' ? ['mac', 'other'] : ['terminal']).map(
        (platform) => [surface, resource?.name ?? 'no list', platform as Platform, resource] as const,
      ),
    ),
  )
  test.each(cases)('%s, %s, %s: no two on screen share a chord', (surface, _name, platform, resource) => {
    const found = conflicts(keyTable(resource, surface, { viewer: admin }), platform)
    expect(found.map(([one, other]) => `${one.chord} ${one.command}, ${other.chord} ${other.command}`)).toEqual([])
  })
  test('a list is gone to by a sequence of its own', () => {
    const go = resources.flatMap((resource) => resource.go ?? [])
    expect(new Set(go).size).toBe(go.length)
    expect(go.filter((chord) => !/^g \S$/.test(chord))).toEqual([])
  })
  test('paths are each resource’s own', () => {
    const paths = resources.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.filter((path) => !path.startsWith('/dashboard'))).toEqual([])
  })
})

describe('texts', () => {
  test('every derived key exists in English', () => {
    const keys = keysOf(readTexts('en-US'))
    expect([...derivedKeys()].filter((key) => !keys.has(key))).toEqual([])
  })
})

describe('words of decisions.md', () => {
  const words = readWords()

  test('the entities are all there, in one file', () =>
    expect([...resourceNames].sort()).toEqual([...words.entities].sort()))

  test('no entity takes a top-level word, and "update" is no verb', () => {
    expect(words.entities.filter((word) => words.topLevel.includes(word))).toEqual([])
    expect(words.verbs).not.toContain('update')
  })

  test('each action of the registry is a settled word of the CLI', () => {
    const settled = (line: string) => {
      const [noun = '', verb] = line.split(' ')
      return (
        words.otherVerbs.includes(line) ||
        (verb === undefined ? words.topLevel.includes(noun) : words.verbs.includes(verb))
      )
    }
    const lines = [...new Set(actions.map(({ action }) => cliWords(action)))]
    expect(lines.filter((line) => !settled(line))).toEqual([])
  })

  test('the copy is read', () => {
    expect(words.otherVerbs).toEqual(expect.arrayContaining(['cron run', 'server force-update', 'transfer retry']))
    expect(readSource('docs/develop/sources/decisions.md')).toContain('| common verbs |')
  })
})

describe('surfaces', () => {
  test('every action is in the palette', async () => {
    const say = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    for (const { resource, action } of actions.filter(({ action }) => allowed(admin, action))) {
      const search = createSearch({
        front: 'web',
        resources,
        surroundings: () => ({ viewer: admin, view, supports: () => true, say }),
        frecency: { score: () => 0, top: () => [] },
      })
      const rows = action.on === 'none' ? [] : [resource.read.parse({ id: 7 })]
      const scope = rows.length > 0 ? { resource, rows } : null
      const { groups } = search.query({
        query: `>${say.say(actionKey(action))}`,
        scope,
        here: resource.name,
        pick: null,
      })
      const found = groups.flatMap(({ hits }) => hits.map(({ entry }) => entry.goal))
      const names = found.flatMap((goal) => ('action' in goal ? [`${goal.action.resource}.${goal.action.name}`] : []))
      expect(names).toContain(`${resource.name}.${action.name}`)
    }
  })
})
