import { GeoIP, Uint64Receipt } from '@qd/protocol/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { loadFixture, loadScenario, type Recorded, type Scenario } from '../support/peers/agent-fixtures.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { type Answer, replayAgentSide } from '../support/peers/replay-peer.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

/** Words of the transport library that differ from the recorded ones; code and order of events are the same. */
const otherWords: Record<string, string> = {
  '': 'OK',
  'unknown method Nope for service proto.NezhaService':
    'The server does not implement the method /proto.NezhaService/Nope',
  'grpc: error unmarshalling request: proto: cannot parse invalid wire-format data': 'Error deserializing request',
  'grpc: received message larger than max (5242891 vs. 4194304)':
    'Received message larger than max (5242891 vs 4194304)',
}

/** Scenarios that are not played, and why. */
const notPlayed = {
  'real-ip-header-missing': 'the setting that names a header comes in a later version',
  'real-ip-header-invalid': 'the same',
  blocked: 'S-38 in tests/abuse/agent-secrets.test.ts, with the same text',
  'real-agent-wrong-secret-and-block': 'the same; the refusal itself is unknown-secret',
  'secret-with-blanks-is-trimmed': "Node's HTTP/2 drops a header with blanks around its value (RFC 9113, 8.2.1)",
}

const recordedSecret = 'e2e-agent-secret-32-bytes-long-ok'
const uuid = '33333333-3333-3333-3333-333333333333'

type FullFields = Scenario & { server_json: { host: object; state: object; geoip: { ip: object } } }

let clock: FakeClock
let world: World
let memberSecret: string

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  memberSecret = (await world.member('alice')).secret
})
afterAll(() => world.close())

function headersOf({ headers }: Recorded, from = uuid): readonly string[] | Record<string, string> {
  if (!headers || headers.some((line) => line.startsWith(':method'))) return credentials(siteSecret, from)
  return headers.map((line) =>
    line.replace(recordedSecret, siteSecret).replace('gElzVy1tImWAVK9AaejqtaKDUzS5jLuz', memberSecret),
  )
}

/**
 * What depends on the transport library and on who closes first: goodbyes, and the RST after the trailers of a call
 * that the agent has not half-closed (existing agents send one themselves when the trailers arrive).
 */
const isTransport = ({ event, dir }: Recorded) =>
  event === 'goaway' || event === 'rst-stream' || (event === 'tcp-fin' && dir === 'server->agent')

/** Lines after a `tcp-open` belong to its connection, also where the recording does not say so. */
function numbered(lines: readonly Recorded[]): Recorded[] {
  let connection = 0
  return lines.map((line) => {
    if (line.event === 'tcp-open') connection = line.connection ?? connection
    return { ...line, connection: line.connection ?? connection }
  })
}

/** Plays a scenario; `before` are lines that the recording left out because they came earlier on the same connection. */
function play(scenario: Scenario, before: readonly Partial<Recorded>[] = [], from = uuid): Promise<Answer[]> {
  const messages = numbered([...(before as Recorded[]), ...scenario.messages].filter((line) => !isTransport(line)))
  return replayAgentSide(
    { ...scenario, messages },
    { target: { port: world.port }, headers: (line) => headersOf(line, from) },
  )
}

const bootTime = () => BigInt(Math.floor(Date.parse('2026-11-20T12:00:00Z') / 1000))

/** A recorded message with our boot time in the place of the recorded one. */
function expectedHex({ message, hex }: Recorded): string {
  const bytes = Buffer.from(hex ?? '', 'hex')
  if (message === 'Uint64Receipt')
    return Buffer.from(Uint64Receipt.encode({ data: bootTime() }).finish()).toString('hex')
  if (message !== 'GeoIP') return hex ?? ''
  return Buffer.from(GeoIP.encode({ ...GeoIP.decode(bytes), dashboard_boot_time: bootTime() }).finish()).toString('hex')
}

/** The recorded server had no table of countries; ours has. */
function withoutCountry({ message }: Recorded, actual: Answer['actual']): Answer['actual'] {
  if (message !== 'GeoIP' || actual.event !== 'message') return actual
  const bytes = GeoIP.encode({ ...GeoIP.decode(actual.bytes), country_code: '' }).finish()
  return { event: 'message', bytes, hex: Buffer.from(bytes).toString('hex') }
}

function check(answers: readonly Answer[]): void {
  for (const { expected, actual } of answers) {
    if (expected.event === undefined) {
      expect(withoutCountry(expected, actual)).toMatchObject({ event: 'message', hex: expectedHex(expected) })
    } else if (expected.event === 'trailers') {
      const text = expected.grpcMessageText ?? ''
      expect(actual).toEqual({ event: 'trailers', status: expected.status, text: otherWords[text] ?? text })
    } else {
      expect(actual.event).toBe(expected.event)
    }
  }
}

/** A call that was open when the recording began, with its response headers. */
const opened = (stream: number, method: string): Partial<Recorded>[] => [
  { stream, method, dir: 'agent->server', event: 'open' },
  { stream, method, dir: 'server->agent', event: 'response-headers' },
]

describe('auth-and-errors', () => {
  // In the order of the recording: the first good call enrols the host, a later one meets its owner.
  const names = [
    'no-credentials',
    'unknown-secret',
    'empty-secret',
    'malformed-uuid',
    'secret-without-uuid',
    'underscore-keys-only',
    'empty-hyphen-key-hides-underscore-key',
    'legacy-info',
    'geo-empty',
    'geo-both',
    'unknown-method',
    'undecodable-request',
    'state-two-then-half-close',
    'task-half-close',
    'task-unknown-secret',
    'iostream-without-magic',
    'iostream-two-bytes',
    'iostream-unknown-id',
    'iostream-half-close-first',
    'uuid-of-another-owner',
  ]
  test.each(names)('%s', async (name) => {
    const answers = await play(loadScenario('auth-and-errors', name))
    expect(answers.length).toBeGreaterThan(0)
    check(answers)
  })

  test('message-over-4MiB', async () => {
    const scenario = loadScenario('auth-and-errors', 'message-over-4MiB')
    const [open, ...rest] = scenario.messages
    const state = Buffer.concat([Buffer.from('820180808002', 'hex').subarray(0, 2), Buffer.from('85808002', 'hex')])
    const long = { ...open!, event: undefined, hex: `${state.toString('hex')}${'00'.repeat(5242891 - state.length)}` }
    check(await play({ ...scenario, messages: [open!, long as unknown as Recorded, ...rest] }))
  })

  test('every scenario is played or named as belonging to a later version', async () => {
    const all = loadFixture('auth-and-errors').scenarios.map(({ name }) => name)
    expect([...names, 'message-over-4MiB', ...Object.keys(notPlayed)].sort()).toEqual(all.sort())
  })
})

describe('connect', () => {
  test('first-connect', async () => {
    check(await play(loadScenario('connect', 'first-connect')))
  })

  test('keepalive-and-cadence', async () => {
    const playing = play(loadScenario('connect', 'keepalive-and-cadence'), [
      { stream: 3, method: 'RequestTask', dir: 'agent->server', event: 'open' },
      ...opened(5, 'ReportSystemState'),
    ])
    await expect.poll(() => world.server.container.agents.connected(1)).toBe(true)
    await clock.advance(20_000)
    check(await playing)
  })

  test('traffic-counters-and-agent-restart', async () => {
    const { live } = world.server.container
    check(await play(loadScenario('connect', 'traffic-counters-and-agent-restart'), opened(5, 'ReportSystemState')))
    // Counters go on over the restart of the agent; the last sample stays visible when it has gone.
    await expect.poll(() => live.lastActive(1)).toBeNull()
    expect(live.sampleOf(1)).toMatchObject({ net_in_transfer: 7424 })
  })
})

describe('full-fields', () => {
  test('all-fields: what was reported is what the list answers', async () => {
    const { server_json: expected, ...scenario } = loadScenario('full-fields', 'all-fields') as FullFields
    check(await play(scenario, [], '44444444-4444-4444-4444-444444444444'))
    const browser = await world.login()
    const rows = (await browser.api('GET', 'server')) as ({ uuid: string } & FullFields['server_json'])[]
    const { host, state, geoip } = rows.find((row) => row.uuid.startsWith('4444'))!
    // Counters above 2^53 become the nearest number that JavaScript has.
    const figures = Object.entries(expected.state).map(([name, value]) =>
      typeof value === 'string' ? [name, Number(value.split(' ')[0])] : [name, value],
    )
    expect({ host, state, geoip: { ip: geoip.ip } }).toEqual({ ...expected, state: Object.fromEntries(figures) })
  })
})

describe('reconnect', () => {
  const bytesOf = (name: string, method: string) =>
    loadScenario('reconnect', name).messages.find(
      (line) => line.method === method && line.hex && line.dir === 'agent->server',
    )!.hex!
  const superseded = { event: 'trailers', status: 2, text: 'state stream superseded' }
  const headers = () => credentials(siteSecret, uuid)

  test('two-agents-same-uuid: the newer state stream wins, the older ends at its next State', async () => {
    const state = bytesOf('server-restart', 'ReportSystemState')
    const older = await connectPeer({ port: world.port })
    const oldStates = older.open('ReportSystemState', headers())
    oldStates.send(state)
    await oldStates.take(({ event }) => event === 'message')
    const newer = await connectPeer({ port: world.port })
    const newStates = newer.open('ReportSystemState', headers())
    newStates.send(state)
    await newStates.take(({ event }) => event === 'message')
    oldStates.send(state)
    expect(await oldStates.take(({ event }) => event === 'trailers')).toEqual(superseded)
    older.destroy()
    newStates.send(state)
    await newStates.take(({ event }) => event === 'message')
    expect(world.server.container.live.lastActive(1)).not.toBeNull()
    newer.destroy()
  })

  test('server-restart: goodbye at once, then a new boot time', async () => {
    const peer = await connectPeer({ port: world.port })
    const states = peer.open('ReportSystemState', headers())
    states.send(bytesOf('server-restart', 'ReportSystemState'))
    await states.take(({ event }) => event === 'message')
    await clock.advance(60_000)
    const restarted = world.restart()
    expect(await peer.take(({ event }) => event === 'goaway')).toMatchObject({ code: 0 })
    await peer.take(({ event }) => event === 'tcp-fin')
    await restarted
    const again = await connectPeer({ port: world.port })
    const info = again.open('ReportSystemInfo2', headers())
    info.send(bytesOf('server-restart', 'ReportSystemInfo2'))
    info.halfClose()
    const { hex } = (await info.take(({ event }) => event === 'message')) as { hex: string }
    expect(Uint64Receipt.decode(Buffer.from(hex, 'hex')).data).toBe(BigInt(Math.floor(clock.now() / 1000)))
    again.destroy()
  })
})
