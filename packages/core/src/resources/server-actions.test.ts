import { expect, test } from 'vitest'
import type { ActionContext, Call, Values } from '../define/index.ts'
import { checkInput } from '../fields/index.ts'
import { server } from './server.ts'

const rows = [
  { id: 1, uuid: 'a-1' },
  { id: 2, uuid: 'a-2' },
]

/** Runs an action against an answer; the calls are kept. */
function running(name: string, args: Values, answer: unknown, chosen = rows) {
  const calls: Call[] = []
  const api = {
    async send(call: Call) {
      calls.push(call)
      return answer
    },
  }
  return { calls, outcome: server.actions[name]!.run({ api } as unknown as ActionContext, chosen, args) }
}

test('exec sends the command and its limit with the servers', async () => {
  const { calls, outcome } = running('exec', { command: 'uptime', time_limit: 60 }, { run_id: 5 })
  expect(await outcome).toEqual({ kind: 'sent', run: 5, changed: [1, 2] })
  expect(calls).toEqual([
    { method: 'POST', path: 'exec', body: { servers: [1, 2], command: 'uptime', time_limit: 60 } },
  ])
})

test('a force update without a rollout is the existing call; the answer of an existing server has buckets and no run', async () => {
  const answer = { success: [1], offline: [2], failure: [] }
  const { calls, outcome } = running('force-update', { canary: 0, batch: 0, max_failures: 0 }, answer)
  expect(await outcome).toEqual({ kind: 'sent', run: null, changed: [1, 2], buckets: answer })
  expect(calls[0]!.body).toEqual([1, 2])
})

test('issue 10: the answer of ours has the run and the buckets, so that nobody who is offline is said to be upgraded', async () => {
  const args = { canary: 0, batch: 0, max_failures: 0 }
  const { outcome } = running('force-update', args, { success: [1], offline: [2], run_id: 7 })
  const buckets = { success: [1], offline: [2], failure: [] }
  expect(await outcome).toEqual({ kind: 'sent', run: 7, changed: [1, 2], buckets })
})

test('D5 a rollout sends how it is spread out', async () => {
  const { calls } = running('force-update', { canary: 1, batch: 10, max_failures: 2 }, { run_id: 5 })
  expect(calls[0]!.body).toEqual({ servers: [1, 2], canary: 1, batch: 10, max_failures: 2 })
})

test('N-08 hosts with Windows are warned of', () => {
  const { warn } = server.actions['force-update']
  expect(warn).toEqual([{ when: { is_windows: { is: true } }, warning: 'windows' }])
  const isWindows = server.derived.is_windows!
  const row = (platform: string) => ({ id: 1, host: { platform } })
  expect(isWindows(row('Microsoft Windows Server 2022'), null as never)).toBe(true)
  expect(isWindows(row('debian'), null as never)).toBe(false)
})

test('the install command is copied; an existing record carries its uuid', async () => {
  const args = { os: 'linux', agent: 'ours' }
  const fresh = running('install', args, { command: 'curl …' }, [])
  expect(await fresh.outcome).toEqual({ kind: 'copy', text: 'curl …' })
  expect(fresh.calls).toEqual([{ method: 'GET', path: 'install', query: args }])
  const again = running('reinstall', args, { command: 'curl …' }, [rows[0]!])
  await again.outcome
  expect(again.calls).toEqual([{ method: 'GET', path: 'install', query: { ...args, uuid: 'a-1' } }])
})

test('a move is done where one server went, and an error with the reason where none did', async () => {
  const some = [
    { server_id: 1, status: 'pending' },
    { server_id: 2, status: 'same_owner' },
  ]
  expect(await running('move', { to_user: 3 }, some).outcome).toMatchObject({
    kind: 'done',
    changed: [1],
    failed: [{ id: expect.any(Number), error: { code: 'moveRefused' } }],
  })
  await expect(running('move', { to_user: 3 }, [some[1]]).outcome).rejects.toMatchObject({
    code: 'moveRefused',
    params: { reason: 'same_owner' },
  })
})

test('issue 12: groups set from the server go as what changes, in one call for all servers', async () => {
  const { calls, outcome } = running('groups', { add: [3], remove: [] }, null)
  expect(await outcome).toEqual({ kind: 'done', changed: [1, 2] })
  expect(calls).toEqual([{ method: 'POST', path: 'batch-group/server', body: { ids: [1, 2], add: [3], remove: [] } }])
})

test('issue 12: groups set from the server: what joins and leaves is counted without those that are in already; nothing and both ways are refused', () => {
  const { input, preview } = server.actions.groups.args
  const groups = [
    { id: 3, name: 'web', servers: [1, 7] },
    { id: 4, name: 'db', servers: [1, 2] },
  ]
  const view = { find: (_name: string, id: number) => groups.find((group) => group.id === id) }
  const around = { rows, view } as unknown as Parameters<NonNullable<typeof preview>>[2]
  const t = (key: string, values: object) => `${key} ${JSON.stringify(values)}`
  expect(preview!({ add: [3], remove: [4] }, { t } as never, around)).toEqual([
    'ui.regroup.join {"name":"web","more":1,"total":3}',
    'ui.regroup.leave {"name":"db","fewer":2,"total":0}',
  ])
  const codes = (values: Values) => {
    const checked = checkInput(input, values)
    return checked.ok ? [] : checked.problems.map(({ field, code }) => `${field} ${code}`)
  }
  expect(codes({ add: [], remove: [] })).toEqual(['add nothingChanged'])
  expect(codes({ add: [3], remove: [3, 4] })).toEqual(['remove nothingChanged'])
  expect(codes({ add: [3], remove: [4] })).toEqual([])
})
