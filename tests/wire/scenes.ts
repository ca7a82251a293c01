import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import type { CommandOutcome, SimulatedAgent } from '../support/peers/simulated-agent.ts'
import type { World } from '../support/world.ts'
import { users } from './callers.ts'
import { alertsClock, enterAlerts } from './scenes-alerts.ts'
import { enterHistory, forgetSamples } from './scenes-history.ts'
import { allow, allowEverything } from './scenes-tokens.ts'
import { connectOldAgent, connectSecureAgent, enterTransfers, refusedSecret } from './scenes-transfers.ts'
import { enterWaf, wafClock } from './scenes-waf.ts'
import { deletedAreForgotten, runsAreDone, servicesAreProbed } from './waiting.ts'

/** Files that were recorded one after another on one database. */
export interface Group {
  name: string
  files: readonly string[]
  /** How many of `users` exist. */
  users: number
  /** Time stands still, and passes when an agent lets somebody wait. */
  clock?: FakeClock
  /** Brings a fresh server into the state the recording began with. */
  prepare(world: World): Promise<void>
  /** Makes the API tokens that the recording began with. */
  tokens?(world: World): Promise<readonly string[]>
}

/** Agents of the recordings: of the administrator, of nobody, of alice. */
const uuids = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
]

/** The agents of each world, to be cut off when the recording says so. */
const agents = new Map<World, SimulatedAgent[]>()

async function prepareSite(world: World, count: number): Promise<void> {
  const { settings } = world.server.container
  await (settings as unknown as { put(values: object): Promise<void> }).put({ ...settings.get(), site_name: 'fleet' })
  for (const { username, password } of users.slice(0, count))
    await world.server.container.accounts.create({ username, password, role: 1 })
}

/** What the agents of a world have been told to be like. */
interface Mood {
  /** A configuration is about to be applied. */
  reloading: boolean
  /** Asked for its configuration, it says nothing for ever; this is called in the place of an answer. */
  stall: (() => void) | null
}

const moods = new Map<World, Mood>()

/** Answers as the recorded agents: they have no newer program, and know their configuration. */
function answerTask({ type }: Task, mood: Mood): CommandOutcome | null {
  if (type === taskType.icmpProbe) return { data: 'pockets recv 0', successful: false, delay: 0 }
  if (type < taskType.icmpProbe || type === taskType.tcpProbe) return { data: '', successful: true, delay: 0.4 }
  if (type === taskType.applyTransfer) return refusedSecret
  if (type === taskType.applyConfig) {
    mood.reloading = true
    return { data: '', successful: true }
  }
  if (type !== taskType.reportConfig) return { data: '', successful: false }
  if (mood.stall) {
    mood.stall()
    return null
  }
  if (mood.reloading) return { data: 'another reload is in process', successful: false }
  return { data: '{"report_delay":1}', successful: true }
}

async function connectAgents(world: World): Promise<void> {
  const mood: Mood = { reloading: false, stall: null }
  moods.set(world, mood)
  const { accounts } = world.server.container
  const secrets = [
    accounts.byName('admin')!.agent_secret,
    world.server.container.agentSecret,
    accounts.byName('alice')!.agent_secret,
  ]
  const connected: SimulatedAgent[] = []
  const onCommand = (command: string) =>
    command === 'exit 3' ? { data: 'exit status 3', successful: false } : { data: 'ok\n', successful: true }
  for (const [index, secret] of secrets.entries())
    connected.push(
      await world.agent({ secret, uuid: uuids[index]!, onCommand, onTask: (task) => answerTask(task, mood) }),
    )
  agents.set(world, connected)
}

async function nameServers(world: World): Promise<void> {
  const browser = await world.login({ username: 'admin', password: 'admin' })
  await browser.api('PATCH', 'server/1', { name: 'web-1', display_index: 5, public_note: 'note one' })
  await browser.api('PATCH', 'server/2', { name: 'db-1', hide_for_guest: true })
  await browser.api('PATCH', 'server/3', { name: 'alice-1' })
}

async function goOffline(world: World, id: number): Promise<void> {
  const { live } = world.server.container
  agents.get(world)![id - 1]!.vanish()
  const deadline = Date.now() + 5000
  while (live.lastActive(id) !== null && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
}

async function prepareNamed(world: World): Promise<void> {
  await prepareSite(world, 2)
  await connectAgents(world)
  await nameServers(world)
  await goOffline(world, 2)
}

const historyClock = createFakeClock()

/** The groups of fixtures/README.md as far as their files are in scope. */
export const groups: readonly Group[] = [
  {
    name: 'a fresh install',
    files: ['auth', 'csrf', 'auth-transport', 'auth-refresh', 'errors'],
    users: 0,
    prepare: (world) => prepareSite(world, 0),
  },
  {
    name: 'a fresh install, users made',
    files: ['users'],
    users: 0,
    prepare: (world) => prepareSite(world, 0),
  },
  {
    name: 'a fresh install with users',
    files: ['profile'],
    users: 2,
    prepare: (world) => prepareSite(world, 2),
  },
  {
    name: 'a fresh install with users, API tokens',
    files: ['api-tokens'],
    users: 2,
    prepare: (world) => prepareSite(world, 2),
  },
  {
    name: 'named servers and an API token',
    files: ['api-tokens-whitelist'],
    users: 2,
    async prepare(world) {
      await prepareNamed(world)
      await allowEverything(world)
    },
  },
  {
    name: 'users and three agents',
    files: ['servers', 'server-config', 'force-update', 'server-groups'],
    users: 2,
    prepare: (world) => prepareSite(world, 2),
    tokens: async (world) => [await allowEverything(world)],
  },
  {
    name: 'named servers',
    files: ['notifications', 'notification-groups', 'crons', 'services', 'ddns', 'nat', 'settings'],
    users: 2,
    prepare: prepareNamed,
  },
  {
    name: 'named servers, no streams',
    files: ['terminal-file'],
    users: 2,
    prepare: prepareNamed,
  },
  {
    name: 'named servers, programs',
    files: ['mcp'],
    users: 2,
    prepare: prepareNamed,
    tokens: async (world) => [await allowEverything(world), await allow(world, ['nezha:inventory:read'])],
  },
  {
    name: 'named servers, no tasks',
    files: ['delete-server'],
    users: 2,
    prepare: prepareNamed,
  },
  {
    name: 'named servers, an agent that stalls',
    files: ['server-config-late'],
    users: 2,
    clock: createFakeClock(),
    prepare: prepareNamed,
  },
  {
    name: 'named servers, visitors and guessers',
    files: ['online-users', 'waf'],
    users: 2,
    clock: wafClock,
    prepare: prepareNamed,
    tokens: async (world) => [await allowEverything(world)],
  },
  {
    name: 'a site for members only',
    files: ['force-auth'],
    users: 0,
    async prepare(world) {
      await prepareSite(world, 0)
      const { settings } = world.server.container
      await settings.put({ ...settings.get(), site_name: 'from-file', force_auth: true })
    },
  },
  {
    name: 'named servers that have not reported for long',
    files: ['metrics', 'metrics-store'],
    users: 2,
    clock: historyClock,
    async prepare(world) {
      await prepareNamed(world)
      forgetSamples(historyClock)
    },
  },
  {
    name: 'named servers, no monitors',
    files: ['alert-rules'],
    users: 2,
    clock: alertsClock,
    prepare: prepareNamed,
  },
  {
    name: 'named servers and one with an old agent',
    files: ['transfers'],
    users: 2,
    async prepare(world) {
      await prepareNamed(world)
      await connectOldAgent(world)
    },
  },
  {
    name: 'a server of alice over TLS',
    files: ['transfers-verified', 'delete-cascade'],
    users: 2,
    async prepare(world) {
      await prepareSite(world, 2)
      await connectSecureAgent(world)
    },
  },
  {
    name: 'named servers after a restart',
    files: ['servers-after-restart'],
    users: 0,
    async prepare(world) {
      await prepareSite(world, 2)
      await connectAgents(world)
      await nameServers(world)
      await world.restart()
    },
  },
]

/** So many open streams of a user to alice's server; who is nobody is not counted to anybody. */
function openStreams(world: World, user: number, count: number): void {
  const caller = { viewer: { id: user, username: '', role: 1, scopes: null }, session: null, address: '' }
  for (let index = 0; index < count; index += 1)
    world.server.container.streams.create({ caller, serverId: 3, purpose: 'terminal' })
}

/** What happened outside the calls just before a step. */
export async function enter(file: string, step: string, world: World): Promise<void> {
  if (file === 'mcp' && step === 'initialize') {
    const { settings } = world.server.container
    await settings.put({ ...settings.get(), enable_mcp: true })
  }
  if (file === 'servers' && step === 'list as admin, three online agents') await connectAgents(world)
  if (file === 'servers' && step.startsWith('list: server 2 offline now')) await goOffline(world, 2)
  if (file === 'crons' && step.startsWith('after')) await runsAreDone(world)
  if (file === 'services' && step === 'show as guest') await servicesAreProbed(world)
  if (file === 'alert-rules') await enterAlerts(step, world)
  if (file === 'metrics-store') await enterHistory(step, { world, clock: historyClock, agent: agents.get(world)![0]! })
  const mood = moods.get(world)
  const { clock } = groups.find(({ files }) => files.includes(file))!
  if (mood && clock) mood.stall = step.startsWith('get, agent stalled') ? () => void clock.advance(10_000) : null
  if (mood && /^(get after the reload|first get: the late reply)/.test(step)) {
    while (!mood.reloading) await new Promise((resolve) => setImmediate(resolve))
    mood.reloading = false
  }
  if (step.startsWith('terminal: 21st')) openStreams(world, world.server.container.accounts.byName('alice')!.id, 20)
  if (step.startsWith('terminal: 41st')) openStreams(world, 0, 20)
  await enterTransfers(file, step, world)
  if (file === 'online-users' || file === 'waf') await enterWaf(step, world)
  if (file === 'delete-server' && step === 'task keeps the id') await deletedAreForgotten(world)
  if (file === 'delete-server' && step.startsWith('after an agent restart')) {
    agents.get(world)![2]!.vanish()
    const secret = world.server.container.accounts.byName('alice')!.agent_secret
    await world.agent({ secret, uuid: uuids[2]! })
  }
}

/** A console of one page, as the recorded server had one. */
export function buildPages(data: string): void {
  mkdirSync(join(data, 'web'))
  writeFileSync(join(data, 'web/index.html'), '<html>user</html>\n')
}
