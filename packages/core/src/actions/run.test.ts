import { describe, expect, test, vi } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { AnyRow, Call, Values, Viewer } from '../define/index.ts'
import { AppError } from '../errors.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { cron, resources, run, server, serverGroup } from '../resources/index.ts'
import { actionState, confirmOf, isTyped, outdatedBy, runAction, wordsToType } from './index.ts'

const admin: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const member: Viewer = { ...admin, id: 2, role: 1 }
const servers = Array.from({ length: 12 }, (_, index) =>
  serverRow({ id: index + 1, seenMsAgo: index < 7 ? 1000 : index === 11 ? null : 99_000 }),
)
const task = cronRow({ id: 7, name: 'nightly', cover: 1, servers: [3] })
const onAlert = cronRow({ id: 8, name: 'on-fire', cover: 2, task_type: 1 })
const group = serverGroup.read.parse({ id: 5, name: 'web', servers: [1, 2] })
const view = viewOf({ server: servers, cron: [task, onAlert], 'server-group': [group] })

function attempt({
  action = cron.actions.run,
  rows = [task] as AnyRow[],
  viewer = admin,
  answer = {} as Values | null,
  send = async (_call: Call): Promise<unknown> => ({ run_id: 3 }),
  supports = true,
} = {}) {
  const calls: Call[] = []
  const ask = vi.fn(async () => answer)
  const api = {
    send(call: Call) {
      calls.push(call)
      return send(call)
    },
  }
  const report = runAction({ action, rows, context: { api, viewer, view }, supports: () => supports, ask })
  return { calls, ask, report }
}

describe('the pipeline', () => {
  test('allowed, asked, sent', async () => {
    const { calls, ask, report } = attempt()
    expect(await report).toEqual({
      kind: 'ok',
      outcome: { kind: 'sent', run: 3, changed: [7] },
      refresh: ['cron', 'run'],
    })
    expect(calls).toEqual([{ method: 'POST', path: 'cron/7/manual' }])
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('issue 36.26 several tasks are sent one after the other, and what they reach is told once', async () => {
    const ids = [3, null, 4]
    const { calls, ask, report } = attempt({
      rows: [task, { ...task, id: 9, servers: [3, 4] }, onAlert, { ...task, id: 10 }],
      send: async () => ({ run_id: ids.shift() }),
    })
    expect(await report).toMatchObject({
      kind: 'ok',
      outcome: {
        ...{ kind: 'sent', run: null, changed: [7, 9, 10], failed: [{ id: 8 }] },
        // The server recorded none for the second.
        runs: [
          { id: 7, run: 3 },
          { id: 10, run: 4 },
        ],
      },
    })
    expect(calls.map(({ path }) => path)).toEqual(['cron/7/manual', 'cron/9/manual', 'cron/10/manual'])
    expect(ask).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ confirm: expect.objectContaining({ servers: 11 }) }),
    )
  })

  test.each([
    ['a guest', { viewer: { ...admin, id: null } }, { kind: 'failed', error: { code: 'unauthorized' } }],
    [
      'a token without the scope',
      { viewer: { ...admin, scopes: ['nezha:cron:read'] } },
      { kind: 'failed', error: { code: 'tokenForbidden', params: { scope: 'nezha:cron:exec' } } },
    ],
    ['a blocked row', { rows: [onAlert] }, { kind: 'refused', reason: { key: 'resources.cron.reasons.needsAlert' } }],
    ['no row', { rows: [] }, { kind: 'refused', reason: { key: 'ui.list.noRows' } }],
    [
      'two rows for one',
      { action: server.actions.shell, rows: servers.slice(0, 2) },
      { kind: 'refused', reason: { key: 'ui.reasons.onlyOne', params: { count: 2 } } },
    ],
    [
      'a server without it',
      {
        action: run.actions.again,
        rows: [{ id: 1, counts: { sent: 0, running: 0, success: 0, failure: 1, no_answer: 0 } }],
        supports: false,
      },
      { kind: 'refused', reason: { key: 'ui.reasons.capability' } },
    ],
    ['No', { answer: null }, { kind: 'cancelled' }],
  ])('%s: nothing is sent', async (_name, request, wanted) => {
    const { calls, report } = attempt(request as Parameters<typeof attempt>[0])
    expect(await report).toMatchObject(wanted)
    expect(calls).toEqual([])
  })

  test('what was thrown is an error with a code; leaving is no failure', async () => {
    const thrown = (error: unknown) => attempt({ send: () => Promise.reject(error) }).report
    expect(await thrown(new AppError('unreachable'))).toMatchObject({ kind: 'failed', error: { code: 'unreachable' } })
    expect(await thrown(new TypeError('x'))).toMatchObject({ kind: 'failed', error: { code: 'internal' } })
    expect(await thrown(new AppError('cancelled'))).toEqual({ kind: 'cancelled' })
  })

  test('what a removed record was named by is out of date too', () => {
    const outdated = outdatedBy('server', { kind: 'done', removed: [1] })
    expect(outdated[0]).toBe('server')
    expect(outdated).toEqual(expect.arrayContaining(['cron', 'nat', 'server-group', 'setting']))
    expect(outdated).not.toContain('notification')
    expect(outdatedBy('server', { kind: 'done', changed: [1] })).toEqual(['server'])
    expect(outdatedBy('server', { kind: 'copy', text: '' })).toEqual([])
  })
})

describe('the confirm', () => {
  const by = { view, viewer: admin }
  test('D1 a run shows the exact servers', () => {
    expect(confirmOf(cron.actions.run, cron, [task], by)).toMatchObject({
      kind: 'targets',
      title: { key: 'resources.cron.actions.run' },
      targetPreview: {
        targets: { ids: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12], excepted: [3] },
        sentence: { key: 'ui.targets.allExceptOffline', params: { total: 11, excepted: 1, count: 5 } },
      },
      typed: null,
    })
  })

  test('P-20 a delete names the objects, how they stand and what names them; ten ask for words', async () => {
    const confirm = confirmOf(server.actions.delete, server, servers, by)!
    expect(confirm).toMatchObject({
      kind: 'delete',
      title: { key: 'ui.confirm.deletion' },
      text: { key: 'ui.confirm.final' },
      typed: { count: 12, of: 'server' },
    })
    expect(confirm.counts.map(({ option, count }) => [option, count])).toEqual([
      ['online', 7],
      ['offline', 4],
      ['never', 1],
    ])
    expect(confirm.usedBy.map(({ resource, ids }) => [resource.name, ids])).toEqual([
      ['cron', [7]],
      ['server-group', [5]],
    ])
    const say = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    const words = wordsToType(confirm, say)
    expect(words).toBe('12 servers')
    expect([isTyped(words, ' 12 Servers '), isTyped(words, '12'), isTyped(null, '')]).toEqual([true, false, true])
    expect(confirmOf(server.actions.delete, server, servers.slice(0, 9), by)!.typed).toBeNull()
  })

  test('what asks nothing', () => expect(confirmOf(server.actions.edit, server, [servers[0]!], by)).toBeNull())
})

test('P-15 actions are hidden for permission and grey for state', () => {
  const around = { viewer: member, view, supports: () => true }
  expect(actionState(cron.actions.run, [task], around)).toEqual({ shown: true, reason: null })
  const scoped = { ...around, viewer: { ...member, scopes: [] } }
  const shown = resources.flatMap((resource) =>
    Object.values(resource.actions).filter((action) => actionState(action, [], scoped).shown && action.scope !== null),
  )
  expect(shown).toEqual([])
})
