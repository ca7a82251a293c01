import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../../tests/support/core/rows.ts'
import type { AnyRow, Viewer } from '../../define/index.ts'
import { createTranslator, loadLanguage } from '../../i18n/index.ts'
import { cron, resources, server, serverGroup, unit } from '../../resources/index.ts'
import { createFrecency, createSearch, type SearchHit, type SearchRequest, type SearchResult } from '../index.ts'
import { createRecordSource } from './search-entries.ts'
import { isNear } from './search-match.ts'

const admin: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const dayMs = 86_400_000

const names = ['web-1', 'web-2', 'db-eu-1', 'db-eu-2', 'uplink-1', 'backup-eu-1', 'edge-nrt-1', 'Прод', 'мой сервер']
const servers = names.map((name, index) => ({
  ...serverRow({ id: index + 1, name, owner: 1 }),
  geoip: { ip: { ipv4_addr: `203.0.113.${index + 1}` } },
}))
const tasks = [
  cronRow({ id: 7, name: 'nightly-backup' }),
  cronRow({ id: 8, name: 'rotate-logs' }),
  cronRow({ id: 9, name: 'on-fire', cover: 2, task_type: 1 }),
]
const groups = [serverGroup.read.parse({ id: 3, name: 'databases', servers: [3, 4] })]
const view = viewOf({ server: servers, cron: tasks, 'server-group': groups })

function setUp({ now = 0, viewer = admin }: { now?: number; viewer?: Viewer } = {}) {
  const clock = { time: now }
  let kept: unknown = {}
  const frecency = createFrecency(
    { now: () => clock.time },
    {
      load: () => kept,
      save: (uses) => {
        kept = uses
      },
    },
  )
  const search = createSearch({
    front: 'web',
    resources,
    frecency,
    surroundings: () => ({ viewer, view, supports: () => true, say: english }),
  })
  const ask = (query: string, more: Partial<SearchRequest> = {}): SearchResult =>
    search.query({ query, scope: null, here: null, pick: null, ...more })
  return { ask, clock, frecency, search }
}

const hitsOf = (result: SearchResult): SearchHit[] => result.groups.flatMap(({ hits }) => hits)
const titles = (result: SearchResult) => hitsOf(result).map(({ entry }) => entry.title)
const keys = (result: SearchResult) => hitsOf(result).map(({ entry }) => entry.key)

describe('search', () => {
  test('lists are prepared one a step, so that none waits for all', () => {
    const { search } = setUp()
    const all = vi.spyOn(view, 'all')
    const steps = search.warm()
    const read: string[][] = []
    while (!steps.next().done) read.push(all.mock.calls.splice(0).map(([name]) => name))
    all.mockRestore()
    expect(read.filter((names) => names.includes('server') || names.includes('cron'))).toEqual([['server'], ['cron']])
    expect(read.flat()).not.toContain('unit')
  })

  test.each([
    ['by name', 'web-2', 'record:server:2'],
    ['by a word start', 'nrt', 'record:server:7'],
    ['P-08 words out of order', 'eu db 2', 'record:server:4'],
    ['P-08 initials', 'nb', 'record:cron:7'],
    ['P-08 one typo', 'bakcup', 'record:server:6'],
    ['one letter missing', 'nigtly', 'record:cron:7'],
    ['P-06 by the group', 'databases', 'record:server-group:3'],
    ['in capitals of another script', 'прод', 'record:server:8'],
    ['a later word of another script', 'сервер', 'record:server:9'],
    ['by id', '#4', 'record:server:4'],
    ['an action by an English alias', 'trigger', 'action:cron.run'],
    ['an action by its words', 'new task', 'action:cron.create'],
    ['an action by its noun', 'delete group', 'action:server-group.delete'],
    ['a page', 'groups', 'command:go:server-group'],
    ['issue 12: a page by a synonym', 'profile', 'command:go:account'],
    ['issue 12: a page by another synonym', 'password', 'command:go:account'],
    ['issue 12: a page by one of its inputs', 'time zone', 'command:go:setting'],
    ['issue 12: a list by a word of its facet', 'offline', 'command:go:server'],
    ['a command', 'dark', 'command:theme:dark'],
    ['a language by its own name', 'deutsch', 'command:language:de-DE'],
  ])('finds %s: %s', (_name, query, key) => {
    expect(keys(setUp().ask(query)).slice(0, 2)).toContain(key)
  })

  test.each([
    ['an exact name', 'web-2', 'record:server:2'],
    ['an exact name of which others begin', 'uplink-1', 'record:server:5'],
    ['an exact address', '203.0.113.6', 'record:server:6'],
    ['a page by its synonym', 'profile', 'command:go:account'],
    ['a page by what is set there', 'time zone', 'command:go:setting'],
  ])('issue 12, friction: %s is first: %s', (_name, query, key) => {
    expect(keys(setUp().ask(query))[0]).toBe(key)
  })

  test('issue 12, friction: what the focused row can do stands before all else that matches', () => {
    const scope = { resource: server, rows: [servers[0]!] }
    for (const query of ['run', 'delete', 'copy', 'edit']) {
      expect(setUp().ask(query, { scope }).groups[0]!.key, query).toBe('scope')
    }
  })

  test('P-16 the rest of what was typed is the first argument, shown before it is chosen', () => {
    const { ask } = setUp()
    const scope = { resource: server, rows: servers.slice(0, 1) }
    const typed = (query: string) => hitsOf(ask(query, { scope })).map(({ entry }) => entry)
    const found = typed('run uptime -p').find(({ key }) => key === 'do:action:server.exec')!
    expect(found.title).toBe('Run command: uptime -p')
    expect(found.goal).toMatchObject({ kind: 'action', given: { command: 'uptime -p' } })
    expect(found.cli).toContain('--command "uptime -p"')
    expect(typed('run command: df -h')[0]?.goal).toMatchObject({ given: { command: 'df -h' } })
    expect(typed('run nightly')[0]!.key).toBe('do:cron.run:record:cron:7')
    expect(typed('run').some(({ key }) => key.startsWith('do:'))).toBe(false)
    expect(typed('upgrade many').some(({ key }) => key === 'do:action:server.force-update')).toBe(false)
    expect(typed('upgrade 2').find(({ key }) => key === 'do:action:server.force-update')?.goal).toMatchObject({
      given: { canary: 2 },
    })
  })

  test('P-08 an exact id ranks first', () => expect(keys(setUp().ask('7'))[0]).toMatch(/^record:(server|cron):7$/))

  test('P-05 empty: the selection, then recents, then pages', () => {
    const { ask, frecency } = setUp()
    frecency.use('record:cron:8')
    const result = ask('', { scope: { resource: server, rows: [servers[0]!] }, here: 'server' })
    expect(result.groups.map(({ key }) => key)).toEqual(['scope', 'recent', 'command'])
    expect(titles(result)).toEqual(expect.arrayContaining(['Edit', 'Delete', 'rotate-logs', 'Servers', 'Tasks']))
  })

  test('P-10 used three times today outranks used once last month', () => {
    const { ask, clock, frecency } = setUp({ now: 40 * dayMs })
    clock.time = 10 * dayMs
    frecency.use('record:server:1')
    clock.time = 40 * dayMs
    for (let times = 0; times < 3; times++) frecency.use('record:server:2')
    expect(titles(ask('web')).slice(0, 2)).toEqual(['web-2', 'web-1'])
    frecency.clear()
    expect(titles(ask('web')).slice(0, 2)).toEqual(['web-1', 'web-2'])
  })

  test('P-11 prefixes narrow', () => {
    const { ask } = setUp()
    expect(keys(ask('#data'))).toEqual(['record:server-group:3'])
    expect(keys(ask('>')).every((key) => !key.startsWith('record:'))).toBe(true)
    expect(hitsOf(ask('?')).every(({ entry }) => entry.chord.web !== null || entry.chord.tui !== null)).toBe(true)
  })

  test('P-12 an action that needs an object asks for it on a page of its own, with reasons', () => {
    const { ask } = setUp()
    const [first] = hitsOf(ask('run now'))
    expect(first!.entry).toMatchObject({ title: 'Run now…', goal: { kind: 'pick' } })
    const page = ask('', { pick: cron.actions.run! })
    expect(titles(page)).toEqual(['nightly-backup', 'rotate-logs', 'on-fire'])
    expect(hitsOf(page).map(({ entry }) => entry.reason)).toEqual([
      null,
      null,
      { key: 'resources.cron.reasons.needsAlert' },
    ])
    expect(hitsOf(ask('rot', { pick: cron.actions.run! }))[0]!.entry).toMatchObject({
      cli: 'qd cron run rotate-logs',
      goal: { kind: 'action', rows: [{ id: 8 }] },
    })
  })

  test('an action named with its object is one line', () => {
    const found = hitsOf(setUp().ask('run nightly')).map(({ entry }) => entry.cli)
    expect(found).toContain('qd cron run nightly-backup')
  })

  test('P-14 contextual actions apply to the whole selection', () => {
    const scope = { resource: server, rows: servers.slice(0, 3) as AnyRow[] }
    const [first] = setUp().ask('delete', { scope }).groups
    expect(first!.key).toBe('scope')
    expect(first!.hits[0]!.entry).toMatchObject({
      cli: 'qd server delete --ids 1,2,3',
      goal: { kind: 'action', rows: scope.rows },
    })
  })

  test('P-15 what cannot be run says why', () => {
    const scope = { resource: cron, rows: [tasks[2]!] }
    expect(hitsOf(setUp().ask('run now', { scope }))[0]!.entry.reason).toEqual({
      key: 'resources.cron.reasons.needsAlert',
    })
    const two = { resource: cron, rows: tasks.slice(0, 2) }
    expect(hitsOf(setUp().ask('duplicate', { scope: two }))[0]!.entry.reason).toEqual({
      key: 'ui.reasons.onlyOne',
      params: { count: 2 },
    })
  })

  test('P-19 keys of what is on screen stand on their lines', () => {
    const scope = { resource: cron, rows: [tasks[0]!] }
    expect(hitsOf(setUp().ask('run now', { scope }))[0]!.entry.chord).toEqual({ web: 'r', tui: 'r' })
    expect(hitsOf(setUp().ask('tasks'))[0]!.entry.chord).toEqual({ web: 'g t', tui: 'g t' })
  })

  test('P-28 nothing found: create it, or search everything', () => {
    const result = setUp().ask('#zzzqqq')
    expect(result).toMatchObject({ total: 0, canWiden: true })
    expect(hitsOf(result).map(({ entry }) => entry.cli)).toContain('qd server-group create --name zzzqqq')
  })

  test('P-11 `/` finds in the folder of an open file manager, and is a letter where there is none', () => {
    const { ask } = setUp()
    const files = { entries: [{ name: 'nightly.log', kind: 'file' }], without: new Set(['checksum']) }
    expect(keys(ask('/night', { files }))).toEqual(['file:nightly.log'])
    expect(keys(ask('/night')).filter((key) => key.startsWith('file:'))).toEqual([])
    expect(keys(ask('>download', { files }))).toContain('command:download')
    expect(keys(ask('>checksum', { files }))).not.toContain('command:checksum')
    expect(keys(ask('>download'))).not.toContain('command:download')
  })

  test('what the query met is marked', () => {
    const [first] = hitsOf(setUp().ask('db-eu-2'))
    expect(first).toMatchObject({ entry: { title: 'db-eu-2' }, ranges: [[0, 7]] })
  })

  test('issue 12.1: whatever is typed, each line has a key of its own', () => {
    const { ask } = setUp()
    const words = [
      'group',
      'edit',
      'run',
      'delete',
      'web',
      'db',
      'databases',
      'nightly',
      'rot',
      '7',
      '#',
      '>',
      '@',
      '?',
    ]
    const typing = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
    const scopes = [null, { resource: server, rows: servers.slice(0, 2) }, { resource: serverGroup, rows: groups }]
    fc.assert(
      fc.property(fc.oneof(typing, fc.string()), fc.constantFrom(...scopes), (query, scope) => {
        const found = keys(ask(query, { scope }))
        expect(found).toEqual([...new Set(found)])
      }),
      { numRuns: 400, seed: 12, examples: [['group databases', null]] },
    )
  })

  test('hidden actions are not there', () => {
    const guest: Viewer = { id: null, username: '', role: 1, scopes: null }
    expect(keys(setUp({ viewer: guest }).ask('delete')).filter((key) => key.startsWith('action:'))).toEqual([])
  })
})

test.each([
  ['nightly', 'nightly', true],
  ['nigtly', 'nightly', true],
  ['nightlyx', 'nightly', true],
  ['nihgtly', 'nightly', true],
  ['nightky', 'nightly', true],
  ['nixhtky', 'nightly', false],
  ['back', 'backup', true],
  ['bakcup', 'backup', true],
])('%s is near %s: %s', (typed, word, near) => expect(isNear(typed, word)).toBe(near))

test('records whose texts are the same aren’t indexed again', () => {
  const source = createRecordSource(server)
  const later = (rows: readonly AnyRow[]) => source(viewOf({ server: rows, 'server-group': groups }), '')
  const { snapshot } = later(servers)
  expect(later(servers.map((row) => ({ ...row, state: null }))).snapshot).toBe(snapshot)
  const renamed = servers.map((row) => (row.id === 2 ? { ...row, name: 'www' } : row))
  expect(later(renamed).byId(2)?.title).toBe('www')
})

test('issue 40: of a list of 10,000 only records with the words of the query are prepared', () => {
  const units = Array.from({ length: 12_000 }, (_, at) => ({
    id: at + 1,
    server_id: 1,
    name: `unit-${at}.service`,
    description: at === 11_000 ? 'Web proxy' : '',
  }))
  const long = viewOf({ server: servers, unit: units })
  const surroundings = () => ({ viewer: admin, view: long, supports: () => true, say: english })
  const frecency = createFrecency({ now: () => 0 }, { load: () => ({}), save: () => undefined })
  const search = createSearch({ front: 'web', resources, frecency, surroundings })
  const first = (query: string, pick: SearchRequest['pick'] = null) =>
    titles(search.query({ query, scope: null, here: null, pick }))[0]
  expect(createRecordSource(unit)(long, 'unit-1').entries.length).toBe(500)
  expect(['unit-11999', 'proxy web', '#11500', 'UNIT-11999.service'].map((query) => first(query))).toEqual(
    ['unit-11999', 'unit-11000', 'unit-11499', 'unit-11999'].map((name) => `${name}.service`),
  )
  expect(first('unit-11999', unit.actions.restart)).toBe('unit-11999.service')
  expect(titles(search.query({ query: 'restart unit-11999', scope: null, here: null, pick: null }))).toContain(
    'unit-11999.service',
  )
})
