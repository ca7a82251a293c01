import { describe, expect, test } from 'vitest'
import { createConsole, createWorld } from '../../../../tests/support/core/store.ts'
import type { Question } from '../actions/index.ts'
import { apiToken, cron, server } from '../resources/index.ts'

const task = {
  id: 7,
  name: 'nightly',
  task_type: 0,
  scheduler: '0 0 3 * * *',
  command: 'true',
  cover: 1,
  servers: [1],
  updated_at: '2026-11-01T00:00:00Z',
}

async function setUp(capabilities: readonly string[] = ['if-match', 'runs']) {
  const world = createWorld()
  const { session, records, runner } = createConsole(world)
  world.route('GET profile', { id: 1, username: 'admin', role: 0 })
  world.route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities })
  world.route('GET cron', [task])
  world.route('GET server', [
    { id: 1, name: 'web-1' },
    { id: 2, name: 'web-2' },
  ])
  await session.start()
  await Promise.all([records.load('cron'), records.load('server')])
  world.requests.length = 0
  return { ...world, records, runner, row: () => records.peek('cron', 7)! }
}

const yes = async () => ({})

describe('running an action', () => {
  test('asks with the exact servers, sends, reads the list again, and is in the list of what was done', async () => {
    const { runner, route, row, calls, ports } = await setUp()
    route('POST cron/7/manual', { run_id: 214 })
    const asked: Question[] = []
    const report = await runner.run(cron.actions.run, [row()], async (question) => {
      asked.push(question)
      return {}
    })
    expect(asked[0]?.confirm).toMatchObject({
      kind: 'targets',
      targetPreview: { targets: { ids: [2], excepted: [1] } },
    })
    expect(report).toEqual({ kind: 'ok', outcome: { kind: 'sent', run: 214, changed: [7] }, refresh: ['cron', 'run'] })
    expect(calls()).toEqual(['POST cron/7/manual', 'GET cron'])
    expect(runner.activity$.peek()).toMatchObject([
      {
        names: ['nightly'],
        cli: 'qd cron run nightly',
        status: 'ok',
        at: ports.now(),
        label: { key: 'resources.cron.actions.run' },
      },
    ])
  })

  test('what was not gone through with leaves no trace', async () => {
    const { runner, row, calls } = await setUp()
    expect(await runner.run(cron.actions.run, [row()], async () => null)).toEqual({ kind: 'cancelled' })
    expect(calls()).toEqual([])
    expect(runner.activity$.peek()).toEqual([])
  })

  test('a failure is told and kept', async () => {
    const { runner, route, row } = await setUp()
    route('POST cron/7/manual', { error: 'operation timeout' })
    const report = await runner.run(cron.actions.run, [row()], yes)
    expect(report).toMatchObject({ kind: 'failed', error: { code: 'failed', params: { text: 'operation timeout' } } })
    expect(runner.activity$.peek()).toMatchObject([{ status: 'failed', error: { code: 'failed' } }])
  })

  test('what the server refuses is asked again, and stays one entry', async () => {
    const { runner, route, records, requests } = await setUp(['exec', 'runs'])
    route('POST exec', { error: 'operation timeout' })
    const typed = ['sleep 9', 'uptime']
    const asked = async () => ({ command: typed.shift(), time_limit: 60 })
    const refusals: string[] = []
    const report = await runner.run(server.actions.exec, [records.peek('server', 1)!], asked, {
      refused({ params }) {
        refusals.push(params.text as string)
        route('POST exec', { run_id: 5 })
        return true
      },
    })
    expect(refusals).toEqual(['operation timeout'])
    expect(report).toMatchObject({ kind: 'ok', outcome: { kind: 'sent', run: 5 } })
    const sent = requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body!).command)
    expect(sent).toEqual(['sleep 9', 'uptime'])
    expect(runner.activity$.peek()).toMatchObject([{ status: 'ok', cli: expect.stringContaining('uptime') }])
  })

  test('deleted records go before the list is read again', async () => {
    const { runner, route, row, records, hold } = await setUp()
    route('POST batch-delete/cron', null)
    hold('GET cron')
    await runner.run(cron.actions.delete, [row()], yes)
    expect(records.list$('cron').peek().ids).toEqual([])
  })
})

describe('saving a form', () => {
  const input = {
    name: 'weekly',
    task_type: 0,
    scheduler: '0 0 3 * * *',
    command: 'true',
    cover: 1,
    servers: [1],
    push_successful: false,
    notification_group_id: 0,
  }

  test('P-22 an edit can be taken back within 6 s: the former values go out', async () => {
    const { runner, route, row, requests, ports } = await setUp()
    route('PATCH cron/7', null)
    const report = await runner.save({ resource: cron, mode: 'edit', base: row(), input })
    expect(report).toMatchObject({ kind: 'ok', saved: { id: 7 } })
    expect(requests[0]).toMatchObject({ method: 'PATCH', headers: { 'If-Match': task.updated_at } })
    expect(runner.undo$.peek()).toEqual({ name: 'weekly', until: ports.now() + 6000 })
    route('GET cron?id=7', [{ ...task, name: 'weekly', updated_at: '2026-11-20T00:00:00Z' }])
    expect(await runner.undo()).toMatchObject({ kind: 'ok' })
    const sent = requests.filter(({ method }) => method === 'PATCH').at(-1)!
    expect(sent.headers['If-Match']).toBe('2026-11-20T00:00:00Z')
    expect(JSON.parse(sent.body!)).toMatchObject({ name: 'nightly', command: 'true', servers: [1] })
    expect(runner.undo$.peek()).toBeNull()
    expect(runner.activity$.peek().map(({ cli }) => cli)).toEqual([
      'qd cron edit nightly --name nightly',
      'qd cron edit nightly --name weekly',
    ])
  })

  test('P-22 after 6 s there is nothing to take back, and nothing is sent', async () => {
    const { runner, route, row, pass, requests } = await setUp()
    route('PATCH cron/7', null)
    await runner.save({ resource: cron, mode: 'edit', base: row(), input })
    pass(6000)
    const before = requests.length
    expect(runner.undo$.peek()).toBeNull()
    expect(await runner.undo()).toBeNull()
    expect(requests.length).toBe(before)
  })

  test('what somebody else changed since is not overwritten by undo', async () => {
    const { runner, route, row } = await setUp()
    route('PATCH cron/7', null)
    await runner.save({ resource: cron, mode: 'edit', base: row(), input })
    route('GET cron?id=7', [{ ...task, name: 'hourly', updated_at: '2026-11-20T00:00:01Z' }])
    expect(await runner.undo()).toMatchObject({ kind: 'failed', error: { code: 'conflict' } })
  })

  describe('a server that returns what it saved', () => {
    const able = ['if-match', 'runs', 'prefer-record']
    const weekly = { ...task, name: 'weekly', updated_at: '2026-11-20T00:00:00Z' }

    test('shows the edited record without reading the list again, also when it is taken back', async () => {
      const { runner, route, row, records, calls, requests } = await setUp(able)
      route('PATCH cron/7', weekly)
      await runner.save({ resource: cron, mode: 'edit', base: row(), input })
      expect(requests.map(({ headers }) => headers.Prefer)).toEqual(['return=representation'])
      expect(records.peek('cron', 7)).toMatchObject({ name: 'weekly', updated_at: weekly.updated_at })
      route('GET cron?id=7', [weekly])
      route('PATCH cron/7', { ...task, updated_at: '2026-11-20T00:00:01Z' })
      await runner.undo()
      expect(row()).toMatchObject({ name: 'nightly' })
      expect(calls()).toEqual(['PATCH cron/7', 'GET cron?id=7', 'PATCH cron/7'])
    })

    test('lists a new record without reading the list again', async () => {
      const { runner, route, records, calls } = await setUp(able)
      route('POST cron', { ...weekly, id: 9 })
      const report = await runner.save({ resource: cron, mode: 'create', base: null, input })
      expect(report).toMatchObject({ saved: { id: 9, row: { name: 'weekly' } } })
      expect(records.list$('cron').ids.peek()).toEqual([7, 9])
      expect(calls()).toEqual(['POST cron'])
    })

    test('reads the list again while another reading of it may be older', async () => {
      const { runner, route, row, records, calls, hold, letGo } = await setUp(able)
      route('PATCH cron/7', weekly)
      hold('GET cron')
      const reading = records.load('cron')
      await runner.save({ resource: cron, mode: 'edit', base: row(), input })
      letGo()
      await reading
      expect(calls()).toEqual(['GET cron', 'PATCH cron/7', 'GET cron'])
    })
  })

  test('an existing dashboard: the list is read again', async () => {
    const { runner, route, row, calls, requests } = await setUp()
    route('PATCH cron/7', null)
    await runner.save({ resource: cron, mode: 'edit', base: row(), input })
    expect(requests[0]!.headers.Prefer).toBeUndefined()
    expect(calls()).toEqual(['PATCH cron/7', 'GET cron'])
  })

  test('a server without If-Match: the record is read again first', async () => {
    const { runner, route, row, requests } = await setUp([])
    route('GET cron?id=7', [{ ...task, updated_at: '2026-11-19T00:00:00Z' }])
    expect(await runner.save({ resource: cron, mode: 'edit', base: row(), input })).toMatchObject({
      kind: 'failed',
      error: { code: 'conflict' },
    })
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(false)
    route('GET cron?id=7', [task])
    route('PATCH cron/7', null)
    expect(await runner.save({ resource: cron, mode: 'edit', base: row(), input })).toMatchObject({ kind: 'ok' })
    expect(requests.find(({ method }) => method === 'PATCH')!.headers['If-Match']).toBeUndefined()
  })

  test('input that does not fit is not sent', async () => {
    const { runner, requests } = await setUp()
    const report = await runner.save({
      resource: cron,
      mode: 'create',
      base: null,
      input: { ...input, name: '', scheduler: 'x' },
    })
    expect(report).toMatchObject({
      kind: 'failed',
      error: { code: 'invalid', problems: [{ field: 'name', code: 'required' }, { field: 'scheduler' }] },
    })
    expect(requests).toEqual([])
  })

  test('a new record has an id and no undo', async () => {
    const { runner, route } = await setUp()
    route('POST cron', 9)
    expect(await runner.save({ resource: cron, mode: 'create', base: null, input })).toEqual({
      kind: 'ok',
      saved: { id: 9, row: null, undo: null, secret: null },
    })
    expect(runner.undo$.peek()).toBeNull()
  })

  test('what only the answer of create tells is handed on', async () => {
    const { runner, route } = await setUp()
    route('POST api-tokens', { id: 4, name: 'ci', token: 'nzp_x', scopes: ['nezha:*'] })
    const wanted = { name: 'ci', scopes: ['nezha:*'], server_ids: [], expires_in_days: null }
    expect(await runner.save({ resource: apiToken, mode: 'create', base: null, input: wanted })).toMatchObject({
      saved: { id: 4, secret: { field: 'token', text: 'nzp_x' } },
    })
  })
})
