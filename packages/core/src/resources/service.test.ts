import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import { defined } from '../errors.ts'
import { checkInput } from '../fields/index.ts'
import { service } from './service.ts'
import { ServiceStatus } from './service-state.ts'
import { hostPort, isHost, isHttpUrl, ServiceType } from './service-target.ts'

describe('targets', () => {
  test.each<[string, boolean]>([
    ['https://example.net', true],
    ['http://127.0.0.1:8080/health?x=1', true],
    ['http://[::1]/', true],
    ['HTTPS://EXAMPLE.NET', true],
    ['example.net', false],
    ['ftp://example.net', false],
    ['javascript:alert(1)', false],
    ['http://', false],
    ['http://a b', false],
    ['', false],
  ])('%s is a web address: %s', (text, is) => expect(isHttpUrl(text)).toBe(is))

  test.each<[string, boolean]>([
    ['example.net', true],
    ['example.net.', true],
    ['db_1', true],
    ['10.0.0.7', true],
    ['::1', true],
    ['fe80::1%eth0', true],
    ['-f', false],
    ['--help', false],
    ['a..b', false],
    ['a-.b', false],
    ['host:80', false],
    ['https://example.net', false],
    ['a b', false],
    ['$(id)', false],
    [`${'a'.repeat(64)}.net`, false],
    ['', false],
  ])('%s is a host: %s', (text, is) => expect(isHost(text)).toBe(is))

  test.each<[string, object | null]>([
    ['example.net:443', { host: 'example.net', port: 443 }],
    ['10.0.0.7:22', { host: '10.0.0.7', port: 22 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['example.net', null],
    ['example.net:', null],
    ['example.net:0', null],
    ['example.net:65536', null],
    ['example.net:http', null],
    ['::1:22', null],
    ['[example.net]:22', null],
    [':22', null],
    ['-h:22', null],
    ['a b:22', null],
  ])('%s is host and port: %j', (text, parts) => expect(hostPort(text)).toEqual(parts))

  test.each([
    [ServiceType.http, 'example.net', 'notUrl'],
    [ServiceType.icmp, 'https://example.net', 'notHost'],
    [ServiceType.tcp, 'example.net', 'notHostPort'],
  ])('probe %i takes its own form of target, not %s', (type, target, code) => {
    expect(checkInput(service.input, { ...service.initial, name: 'a', type, target })).toEqual({
      ok: false,
      problems: [{ field: 'target', code }],
    })
  })
})

describe('rules of spec section 5', () => {
  const right = { ...service.initial, name: 'a', target: ' https://example.net ' }
  test('right is right, without blanks around the target', () => {
    expect(checkInput(service.input, right)).toMatchObject({ ok: true, input: { target: 'https://example.net' } })
  })
  test.each<[object, object]>([
    [{ name: '' }, { field: 'name', code: 'required' }],
    [{ target: ' ' }, { field: 'target', code: 'required' }],
    [{ duration: 29 }, { field: 'duration', code: 'tooSmall', params: { minimum: 30 } }],
    [{ duration: 30.5 }, { field: 'duration', code: 'notInteger' }],
    [{ duration: 1e9 }, { field: 'duration', code: 'tooBig', params: { maximum: 86_400 } }],
    [{ max_latency: -1 }, { field: 'max_latency', code: 'tooSmall', params: { minimum: 0 } }],
    [{ min_latency: -1 }, { field: 'min_latency', code: 'tooSmall', params: { minimum: 0 } }],
    [{ type: 0 }, { field: 'type', code: 'notOption' }],
    [{ cover: 2 }, { field: 'cover', code: 'notOption' }],
    [{ fail_trigger_tasks: ['x'] }, { field: 'fail_trigger_tasks', code: 'notNumber', at: '1' }],
  ])('%j', (change, problem) => {
    const checked = checkInput(service.input, { ...right, ...change })
    expect(checked.ok ? [] : checked.problems).toContainEqual(problem)
  })
})

describe('the wire', () => {
  test('servers are a map of marks, visibility has both of its names', () => {
    const sent = service.wire.encode({ ...service.initial, skip_servers: [3, 4], hide_for_guest: true })
    expect(sent).toMatchObject({
      skip_servers: { 3: true, 4: true },
      hide_for_guest: true,
      enable_show_in_service: false,
    })
  })
  test.each<[object, boolean]>([
    [{ hide_for_guest: true }, true],
    [{ hide_for_guest: false, enable_show_in_service: false }, false],
    [{ enable_show_in_service: false }, true],
    [{ enable_show_in_service: true }, false],
    [{ display_index: 0 }, false],
    // Of 1.x, which leaves out what is false.
    [{}, true],
  ])('%j: hidden is %s', (item, hidden) => {
    expect(service.wire.decode({ id: 1, ...item })).toMatchObject({ hide_for_guest: hidden })
  })
  test('marks that are false, null or missing are no servers', () => {
    const read = (skip_servers: unknown) =>
      service.read.parse(service.wire.decode({ id: 1, skip_servers })).skip_servers
    expect([read({ 3: true, 4: false }), read(null), read(undefined)]).toEqual([[3], [], []])
  })
  test('a server takes 0 for the interval as the shortest', () => {
    expect(service.wire.decodeInput({ duration: 0 })).toMatchObject({ duration: 30 })
    expect(service.wire.decodeInput({ duration: 5 })).toMatchObject({ duration: 5 })
    expect(service.wire.decodeInput({})).toMatchObject({ duration: 30 })
  })
})

test.each<[string, object, object]>([
  [
    'up',
    { current_up: 29, current_down: 1, delay: [3, 4.5], up: [0, 9], down: [0, 1], total_up: 9, total_down: 1 },
    {},
  ],
  ['down', { current_up: 24, current_down: 6 }, { status: ServiceStatus.down, delay: 4.5, up_percent: 90 }],
  ['down altogether', { current_up: 0, current_down: 2 }, { status: ServiceStatus.down, delay: null }],
  ['unsteady', { current_up: 9, current_down: 1 }, { status: ServiceStatus.low }],
  ['without results', { current_up: 0, current_down: 0 }, { status: ServiceStatus.noData, delay: null }],
  ['never', { total_up: 0, total_down: 0, delay: [], up: [], down: [] }, { up_percent: null, delay: null, days: [] }],
])('an existing dashboard tells by another call how services stand: %s', async (_name, told, expected) => {
  const good = {
    current_up: 29,
    current_down: 1,
    delay: [3, 4.5],
    up: [0, 9],
    down: [0, 1],
    total_up: 9,
    total_down: 1,
  }
  const api = { send: async () => ({ services: { 7: { ...good, ...told } } }) }
  const said = { id: 9, status: 0 }
  const [seven, eight, nine] = await defined(service.wire.load)([{ id: 7 }, { id: 8 }, said], api)
  const up = { status: ServiceStatus.good, delay: 4.5, up_percent: 90, days: [-1, 90] }
  expect(service.read.parse(service.wire.decode(seven))).toMatchObject({ ...up, ...expected })
  expect([eight, nine]).toEqual([{ id: 8 }, said])
})

test('what was never measured, or is never said, is no data and not 0', () => {
  expect(service.read.parse(service.wire.decode({ id: 1 }))).toMatchObject({ delay: null, up_percent: null })
  expect(service.read.parse({ id: 1, delay: null, up_percent: null })).toMatchObject({ delay: null, up_percent: null })
})

test('issue 12, beyond: the list says how long a certificate lasts, coloured when it ends soon; a service without one has none', () => {
  expect(service.columns.map(({ field }) => field)).toContain('certificate')
  const { certificate } = service.derived
  const left = (cert_expires_at: string | null) =>
    certificate!(service.read.parse({ id: 1, cert_expires_at }), viewOf({}))
  const days = 86_400
  const now = viewOf({}).now
  const inDays = (count: number) => new Date(now + count * days * 1000).toISOString()
  expect([left(inDays(30)), left(inDays(-1)), left(null)]).toEqual([30 * days, 0, null])
  expect(service.fields.certificate).toMatchObject({ limits: { warn: 21 * days, bad: 7 * days } })
})

describe('how it stands', () => {
  const row = (values: object) => service.read.parse({ id: 1, status: ServiceStatus.good, ...values })
  const cause = (values: object) => service.state!.cause(row(values), viewOf({}))?.name ?? null
  test.each<[string, object, string | null]>([
    ['up', {}, null],
    ['down', { status: ServiceStatus.down, status_since: '2026-11-20T13:00:00Z' }, 'down'],
    ['too slow', { max_latency: 100, delay: 130 }, 'slow'],
    ['quick enough', { max_latency: 100, delay: 100 }, null],
    ['without a limit', { max_latency: 0, delay: 5000 }, null],
    ['never measured', { max_latency: 100, delay: null }, null],
    ['certificate for a month', { cert_expires_at: '2026-12-22T00:00:00Z' }, null],
    ['certificate for days', { cert_expires_at: '2026-11-29T00:00:00Z' }, 'certificate'],
    ['certificate over', { cert_expires_at: '2026-11-01T00:00:00Z' }, 'expired'],
    [
      'down with a certificate that is over',
      { status: ServiceStatus.down, status_since: '2026-11-20T13:00:00Z', cert_expires_at: '2026-11-01T00:00:00Z' },
      'down',
    ],
    ['down, nobody says since when', { status: ServiceStatus.down }, 'downNow'],
    ['unsteady, nobody says since when', { status: ServiceStatus.low }, 'unsteadyNow'],
  ])('%s', (_name, values, name) => expect(cause(values)).toBe(name))
})
