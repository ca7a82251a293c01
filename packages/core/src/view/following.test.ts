import { describe, expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { Viewer } from '../define/index.ts'
import { checkInput } from '../fields/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { cron, followCapability, renamedGroup, serverGroup, TaskCover } from '../resources/index.ts'
import { createForm } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const view = viewOf({
  server: [
    serverRow({ id: 1, name: 'web-1' }),
    serverRow({ id: 2, name: 'web-2' }),
    serverRow({ id: 3, name: 'db-1' }),
  ],
  'server-group': [serverGroup.read.parse({ id: 4, name: 'web', servers: [1, 2] })],
})
const open = (row = cronRow({ id: 7 }), supports: (capability: string) => boolean = () => true) =>
  createForm({ resource: cron, mode: 'edit', row, view, viewer, translator, supports })
const names = (form: ReturnType<typeof open>) => form.groups().flatMap(({ fields }) => fields.map(({ field }) => field))

describe('N-03 D4 a selection fills in the servers', () => {
  test('as it is typed, and what is reached says it', () => {
    const form = open()
    form.setText('server_query', 'group:web')
    expect(form.values()).toMatchObject({ cover: TaskCover.onlyListed, servers: [1, 2] })
    expect(form.targetPreview()!.targets.ids).toEqual([1, 2])
    expect(names(form)).toContain('servers')
  })
  test('what follows hides what it fills, and sends it', () => {
    const form = open()
    form.setText('server_query', 'group:web')
    form.set('follows', true)
    expect(names(form)).not.toContain('servers')
    expect(form.submit()).toMatchObject({
      ok: true,
      input: { cover: TaskCover.onlyListed, servers: [1, 2], server_query: 'group:web', follows: true },
    })
  })
  test('half a selection changes nothing and is said', () => {
    const form = open(cronRow({ id: 7, servers: [3] }))
    form.setText('server_query', 'group:')
    expect(form.values().servers).toEqual([3])
    expect(form.problems()).toMatchObject([{ field: 'server_query', code: 'selection' }])
  })
  test('a server that cannot follow is not asked to', () => {
    expect(names(open(undefined, (capability) => capability !== followCapability))).not.toContain('server_query')
  })
  test('a stored list that does not follow shows who joined and who left', () => {
    const drifted = cronRow({ id: 7, cover: TaskCover.onlyListed, servers: [1, 3], server_query: 'group:web' })
    expect(cron.derived.drift!(drifted, view)).toEqual([2, 3])
    expect(open(drifted).targetPreview()).toMatchObject({ joined: [{ name: 'web-2' }], left: [{ name: 'db-1' }] })
    expect(cron.derived.drift!({ ...drifted, follows: true }, view)).toEqual([])
  })
})

test.each([
  ['', [['server_query', 'required']]],
  ['cpu>90', [['server_query', 'selectionMoves']]],
  ['group:web online', [['server_query', 'selectionMoves']]],
  ['seen>1d', [['server_query', 'selectionMoves']]],
  ['group:web (os:debian or !name:db*)', []],
])('what may be followed: %j', (server_query, problems) => {
  const checked = checkInput(cron.input, {
    ...cron.initial,
    name: 'a',
    command: 'b',
    scheduler: '@every 5m',
    server_query,
    follows: true,
  })
  expect(checked.ok ? [] : checked.problems.map(({ field, code }) => [field, code])).toEqual(problems)
})

test.each([
  ['group:web os:debian', 'group:www os:debian'],
  ['groups:db,WEB !name:web', 'groups:db,www !name:web'],
  ['group:"web" or group!=web', 'group:www or group!=www'],
  ['group:web*', 'group:web*'],
  ['web', 'web'],
])('a group that gets another name: %j', (text, renamed) => {
  expect(renamedGroup(text, { from: 'web', to: 'www' })).toBe(renamed)
})
