import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TargetSelection } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { describeTargets, resolveTargets, type TargetRequest, type TargetServer } from './index.ts'

const servers: TargetServer[] = [
  { id: 1, owner: 1, online: true },
  { id: 2, owner: 0, online: false },
  { id: 3, owner: 2, online: true },
  { id: 4, owner: 2, online: false },
]
const admin = { id: 1, admin: true }
const alice = { id: 2, admin: false }
const only = (...ids: number[]): TargetSelection => ({ mode: 'only', servers: ids })
const except = (...ids: number[]): TargetSelection => ({ mode: 'except', servers: ids })
const onAlert: TargetSelection = { mode: 'alert', servers: [1, 3] }

describe('resolveTargets', () => {
  test.each<[string, Omit<TargetRequest, 'servers'>, number[]]>([
    ['admin, only', { selection: only(4, 1, 1), owner: admin }, [1, 4]],
    ['admin, all', { selection: except(), owner: admin }, [1, 2, 3, 4]],
    ['admin, all but', { selection: except(1, 3), owner: admin }, [2, 4]],
    ['S-29 member, all with an empty list: own servers', { selection: except(), owner: alice }, [3, 4]],
    ['S-27 member, foreign server named', { selection: only(1, 3), owner: alice }, [3]],
    ['nobody (id 0) acts like an admin', { selection: except(), owner: { id: 0, admin: null } }, [1, 2, 3, 4]],
    ['on alert, no alert', { selection: onAlert, owner: admin }, []],
    ['on alert, the list is ignored', { selection: onAlert, owner: admin, raisedBy: 2 }, [2]],
    ['on alert, a member and a foreign server', { selection: onAlert, owner: alice, raisedBy: 1 }, []],
    ['left out by the request', { selection: only(1, 3), owner: admin, excluded: [1] }, [3]],
  ])('%s', (_name, request, ids) => expect(resolveTargets({ ...request, servers }).ids).toEqual(ids))

  test('tells apart what is offline, left out, foreign and unknown', () => {
    expect(resolveTargets({ selection: only(1, 3, 4, 9), owner: alice, servers, excluded: [3] })).toEqual({
      ids: [4],
      online: [],
      offline: [4],
      excepted: [3],
      foreign: [1],
      unknown: [9],
      ownOnly: true,
      exact: true,
    })
  })

  test.each([[null], [{ id: 2, admin: null }]])('a hidden owner gives an upper bound: %j', (owner) => {
    const targets = resolveTargets({ selection: except(1), owner, servers })
    expect(targets).toMatchObject({ ids: [2, 3, 4], exact: false })
  })
})

describe('describeTargets', () => {
  const text = (request: Omit<TargetRequest, 'servers'>, among = servers) =>
    describeTargets(resolveTargets({ ...request, servers: among }), request.selection, (id) => `web-${id}`)
  const up = servers.map((server) => ({ ...server, online: true }))

  test.each([
    [text({ selection: except(), owner: admin }), 'allOffline', { total: 4, count: 2 }],
    [text({ selection: except(), owner: admin }, up), 'all', { total: 4 }],
    [text({ selection: except(), owner: alice }, up), 'allOwn', { total: 2 }],
    [text({ selection: except(), owner: alice }), 'allOwnOffline', { total: 2, count: 1 }],
    [text({ selection: except(1, 9), owner: admin }), 'allExceptOffline', { total: 3, excepted: 1, count: 2 }],
    [text({ selection: except(1), owner: admin }, up), 'allExcept', { total: 3, excepted: 1 }],
    [text({ selection: except(1, 3), owner: alice }, up), 'allOwnExcept', { total: 1, excepted: 1 }],
    [text({ selection: except(1), owner: null }), 'allExceptAtMost', { total: 3, excepted: 1 }],
    [text({ selection: except(), owner: null }), 'allAtMost', { total: 4 }],
    [text({ selection: only(1), owner: admin }), 'onlyOne', { name: 'web-1' }],
    [text({ selection: only(2), owner: admin }), 'onlyOneOffline', { name: 'web-2' }],
    [text({ selection: only(1, 3), owner: admin }), 'onlyThese', { total: 2 }],
    [text({ selection: only(1, 2, 3), owner: admin }), 'onlyTheseOffline', { total: 3, count: 1 }],
    [text({ selection: only(1, 2, 3), owner: null }), 'onlyTheseAtMost', { total: 3 }],
    [text({ selection: only(1), owner: null }), 'onlyOneAtMost', { name: 'web-1' }],
    [text({ selection: only(), owner: admin }), 'none', {}],
    [text({ selection: only(1), owner: alice }), 'none', {}],
    [text({ selection: onAlert, owner: admin }), 'onAlert', {}],
    [text({ selection: onAlert, owner: admin, raisedBy: 3 }), 'onlyOne', { name: 'web-3' }],
  ])('%j', (got, key, params) => expect(got).toEqual({ key: `ui.targets.${key}`, params }))
})

describe('the sentence', () => {
  const fleet = Array.from({ length: 120 }, (_, index) => ({ id: index + 1, owner: 1, online: index < 116 }))
  const up = fleet.map((server) => ({ ...server, online: true }))

  test.each([
    [except(1, 2, 3), fleet, admin, 'All servers except 3 (117), 4 offline'],
    [except(1, 2, 3), up, admin, 'All servers except 3 (117)'],
    [except(), up, admin, 'All servers (120)'],
    [except(1, 2, 3), fleet, null, 'All servers except 3 (at most 117)'],
    [only(1, 2, 3), fleet, admin, 'Only these 3'],
    [only(1), fleet, admin, 'Only web-1'],
    [only(120), fleet, admin, 'Only web-120, offline'],
    [only(), fleet, admin, 'No servers'],
    [onAlert, fleet, admin, 'The server that raised the alert'],
  ])('%j', async (selection, among, owner, sentence) => {
    const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    const { key, params } = describeTargets(
      resolveTargets({ selection, owner, servers: among }),
      selection,
      (id) => `web-${id}`,
    )
    expect(translator.say(key, params)).toBe(sentence)
  })
})

describe('preview and dispatch', () => {
  const id = fc.integer({ min: 1, max: 8 })
  const user = fc.integer({ min: 0, max: 3 })
  const fleet = fc.uniqueArray(fc.record({ id, owner: user, online: fc.boolean() }), {
    selector: (server) => server.id,
  })
  const task = fc.record({
    cover: fc.constantFrom(0, 1, 2),
    servers: fc.array(id),
    owner: user.map((number) => ({ id: number, admin: number <= 1 })),
    raisedBy: fc.option(id, { nil: undefined }),
  })
  const modes = ['only', 'except', 'alert'] as const

  test('S-29 what the preview names is what dispatch reaches', () => {
    fc.assert(
      fc.property(task, fleet, ({ cover, servers: listed, owner, raisedBy }, all) => {
        const selection: TargetSelection = { mode: modes[cover]!, servers: listed }
        const request = { selection, servers: all, ...(raisedBy === undefined ? {} : { raisedBy }) }
        const preview = resolveTargets({ ...request, owner })
        const sent = dispatch({ cover, listed, owner, raisedBy }, all)
        expect({ online: preview.online, offline: preview.offline }).toEqual(sent)
        expect([...preview.ids].sort()).toEqual([...sent.online, ...sent.offline].sort())
        const bound = resolveTargets({ ...request, owner: null })
        expect(bound.ids).toEqual(expect.arrayContaining([...preview.ids]))
      }),
    )
  })
})

type Task = { cover: number; listed: number[]; owner: { id: number; admin: boolean }; raisedBy: number | undefined }

/** The contract's words in their plainest form: one server after the other (engines 3.1 and 3.4). */
function dispatch({ cover, listed, owner, raisedBy }: Task, all: readonly TargetServer[]) {
  const sent = { online: [] as number[], offline: [] as number[] }
  for (const server of all) {
    if (cover === 0 && !listed.includes(server.id)) continue
    if (cover === 1 && listed.includes(server.id)) continue
    if (cover === 2 && server.id !== raisedBy) continue
    if (!owner.admin && server.owner !== owner.id) continue
    if (server.online) sent.online.push(server.id)
    else sent.offline.push(server.id)
  }
  return sent
}
