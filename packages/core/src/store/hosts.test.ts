import { describe, expect, test, vi } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { listRecords } from '../actions/index.ts'
import type { AnyRow, ApiPort } from '../define/index.ts'
import { hostRowId, resourceByName } from '../resources/index.ts'
import { createRecords$, createRemembered, hostTarget } from './index.ts'

function setUp(world = createWorld()) {
  const remembered = createRemembered(world.ports)
  const records = createRecords$({ client: world.client, clock: world.ports, remembered })
  return { ...world, remembered, records }
}

const unit = (name: string, state = 'active') => ({ name, type: 'service', state, manager: 'systemd' })
const at = '2026-11-20T13:32:07Z'
const read = (server_id: number, ...rows: object[]) => ({ server_id, state: 'read', at, rows })
const ok = (cursor: number, ...hosts: object[]) => ({ cursor, hosts })

describe('records of hosts', () => {
  test('come as hosts answer, and what is pending is asked for until it is known', async () => {
    const { records, route, calls } = setUp()
    route('GET host/unit?wait=150', ok(1, read(1, unit('nginx.service')), { server_id: 2, state: 'pending' }))
    route('GET host/unit?wait=300&since=1&same=omit', ok(2, { server_id: 2, state: 'timed out', error: '10 s' }))
    const seen: (readonly number[])[] = []
    records.list$('unit').ids.onChange(({ value }) => seen.push(value as readonly number[]))
    await records.load('unit')
    expect(calls()).toEqual(['GET host/unit?wait=150', 'GET host/unit?wait=300&since=1&same=omit'])
    const id = hostRowId(1, 'nginx.service')
    expect(seen[0]).toEqual([id])
    expect(records.list$('unit').peek()).toMatchObject({
      status: 'ready',
      ids: [id],
      hosts: [
        { server_id: 1, state: 'read', at },
        { server_id: 2, state: 'timed out', error: '10 s' },
      ],
    })
  })

  test('of the next hosts are asked for before those of the first are taken', async () => {
    let asked = 0
    const takenAfter: number[] = []
    const answers = [ok(1, read(1, unit('a.service')), { server_id: 2, state: 'pending' }), ok(2, read(2))]
    const api: ApiPort = {
      send: async () => answers[asked++],
      pause: async () => void takenAfter.push(asked),
    } as Partial<ApiPort> as ApiPort
    expect((await listRecords(api, resourceByName('unit'))).hosts).toHaveLength(2)
    expect(takenAfter).toEqual([2, 2])
  })

  test('are read again while they are on screen, and only what changed is sent', async () => {
    const { records, route, calls, pass } = setUp()
    route('GET host/unit?on=group%3Aweb&wait=150', ok(1, read(1, unit('a.service')), read(2, unit('b.service'))))
    route('GET host/unit?on=group%3Aweb&wait=700&since=1&same=omit', ok(2, read(2, unit('b.service', 'failed'))))
    route('GET host/unit?on=group%3Aweb&wait=700&since=2&same=omit', ok(2))
    await records.load('unit', { on: 'group:web' })
    const stop = records.watch('unit')
    await vi.waitFor(() => expect(records.list$('unit').status.peek()).toBe('ready'))
    pass(5000)
    await vi.waitFor(() => expect(records.peek('unit', hostRowId(2, 'b.service'))).toMatchObject({ state: 'failed' }))
    expect(records.peek('unit', hostRowId(1, 'a.service'))).toMatchObject({ state: 'active' })
    stop()
    const before = calls().length
    pass(60_000)
    await Promise.resolve()
    expect(calls()).toHaveLength(before)
  })

  test('rows that are still the same are kept; those of a host that is new in the selection are asked for', async () => {
    const { records, route, calls } = setUp()
    route('GET host/unit?wait=150', ok(1, read(1, unit('a.service'))))
    route('GET host/unit?wait=700&since=1&same=omit', ok(2, { server_id: 1, state: 'read', at }))
    route('GET host/unit?wait=700&since=2&same=omit', ok(3, { server_id: 2, state: 'read', at }))
    route('GET host/unit?wait=1400', ok(4, read(1, unit('a.service')), read(2, unit('b.service'))))
    const ids = async () => {
      await records.load('unit')
      return records.list$('unit').peek().ids
    }
    const [a, b] = [hostRowId(1, 'a.service'), hostRowId(2, 'b.service')]
    expect(await ids()).toEqual([a])
    expect(await ids()).toEqual([a])
    expect(await ids()).toEqual([a, b])
    expect(calls().at(-1)).toBe('GET host/unit?wait=1400')
  })

  test('that could not be read are asked again soon, however seldom their kind is read', async () => {
    const { records, route, calls, pass } = setUp()
    route('GET host/package?wait=150', ok(1, { server_id: 1, state: 'offline' }))
    route(
      'GET host/package?wait=700&since=1&same=omit',
      ok(2, read(1, { name: 'bash', ref: 'apt/bash', state: 'update' })),
    )
    await records.load('package')
    const stop = records.watch('package')
    await vi.waitFor(() => expect(records.list$('package').status.peek()).toBe('ready'))
    pass(10_000)
    await vi.waitFor(() => expect(records.list$('package').hosts.peek()).toMatchObject([{ state: 'read' }]))
    const before = calls().length
    pass(60_000)
    await Promise.resolve()
    expect(calls()).toHaveLength(before)
    stop()
  })

  test.each([
    ['timed out', 60_000],
    ['not supported', 600_000],
    ['refused', 600_000],
    ['no permission', 600_000],
  ])('of a kind that is read seldom: a host that is “%s” makes the list ask after %i ms', async (state, ms) => {
    const { records, route, calls, pass } = setUp()
    route('GET host/package?wait=150', ok(1, read(1), { server_id: 2, state }))
    route('GET host/package?wait=700&since=1&same=omit', ok(1))
    const stop = records.watch('package')
    await vi.waitFor(() => expect(records.list$('package').status.peek()).toBe('ready'))
    pass(ms - 1)
    expect(calls()).toHaveLength(1)
    pass(1)
    expect(calls()).toHaveLength(2)
    stop()
  })

  test('that are forbidden are asked for again when they come on screen, and not before', async () => {
    const { records, route, calls, pass } = setUp()
    route('GET host/unit?wait=150', () => ({ error: 'permission denied' }))
    const stop = records.watch('unit')
    await vi.waitFor(() => expect(records.list$('unit').error.peek()?.code).toBe('forbidden'))
    pass(600_000)
    expect(calls()).toHaveLength(1)
    stop()
    route('GET host/unit?wait=150', ok(1, read(1, unit('a.service'))))
    records.watch('unit')
    await vi.waitFor(() => expect(records.list$('unit').error.peek()).toBeNull())
    expect(calls()).toHaveLength(2)
  })

  test('another target forgets the records of the one before', async () => {
    const { records, route } = setUp()
    route('GET host/unit?on=a&wait=150', ok(1, read(1, unit('a.service'))))
    route('GET host/unit?on=b&wait=150', ok(1, read(2, unit('b.service'))))
    await records.load('unit', { on: 'a' })
    await records.load('unit', { on: 'b' })
    expect(records.peekAll('unit').map((row: AnyRow) => row.name)).toEqual(['b.service'])
  })

  test('of a host that fails are gone, and the host says why', async () => {
    const { records, route } = setUp()
    route('GET host/unit?wait=150', ok(1, read(1, unit('a.service'))))
    route('GET host/unit?wait=700&since=1&same=omit', ok(2, { server_id: 1, state: 'offline' }))
    await records.load('unit')
    await records.load('unit')
    expect(records.list$('unit').peek()).toMatchObject({ ids: [], hosts: [{ server_id: 1, state: 'offline' }] })
  })

  test('of a server that no longer matches the target are gone', async () => {
    const { records, route } = setUp()
    const both = [read(1, unit('a.service')), read(2, unit('b.service'))]
    route('GET host/unit?on=cpu%3E80&wait=150', { ...ok(1, ...both), servers: [1, 2] })
    route('GET host/unit?on=cpu%3E80&wait=700&since=1&same=omit', { ...ok(1), servers: [2] })
    await records.load('unit', { on: 'cpu>80' })
    await records.load('unit')
    expect(records.peekAll('unit').map((row: AnyRow) => row.name)).toEqual(['b.service'])
    expect(records.list$('unit').peek()).toMatchObject({ hosts: [{ server_id: 2 }] })
  })

  test('are read by a refresh only while their list is on screen', async () => {
    const { records, route } = setUp()
    route('GET host/unit?wait=150', ok(1, read(1, unit('a.service'))))
    route('GET host/unit?wait=700&since=1&same=omit', ok(2, { server_id: 1, state: 'offline' }))
    await records.load('unit')
    await records.refresh(['unit'])
    expect(records.list$('unit').hosts.peek()).toMatchObject([{ state: 'read' }])
    const leave = records.watch('unit')
    await records.refresh(['unit'])
    expect(records.list$('unit').hosts.peek()).toMatchObject([{ state: 'offline' }])
    leave()
  })

  test('are never remembered for the next visit', async () => {
    const { records, route, remembered } = setUp()
    records.open('kim')
    route('GET host/unit?wait=150', ok(1, read(1, unit('a.service'))))
    await records.load('unit')
    expect(remembered.read('main', 'rows:unit')).toBeUndefined()
  })
})

test('a target is what was asked for, all of few servers, what was used last, or open', () => {
  const last = (on?: string) => ({ read: () => on })
  expect(hostTarget('group:web', 500, last('x'))).toEqual({ on: 'group:web', isOpen: false })
  expect(hostTarget('', 500, last('x'))).toEqual({ on: '', isOpen: false })
  expect(hostTarget(null, 20, last('x'))).toEqual({ on: '', isOpen: false })
  expect(hostTarget(null, 21, last('x'))).toEqual({ on: 'x', isOpen: false })
  expect(hostTarget(null, 21, last())).toEqual({ on: '', isOpen: true })
})
