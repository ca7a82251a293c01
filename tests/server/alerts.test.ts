import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { type Program, startProgram } from '../support/program.ts'
import { buildAgent } from '../support/programs.ts'
import { uuidOf } from '../support/world.ts'

/** An incident as its list says it. */
interface Incident {
  id: number
  rule_id: number
  server_id: number
  state: string
  reading: { metric: string; value: number; limit: number } | null
  quiet: boolean
  told: { name: string; ok: boolean }[]
  runs: number[]
  acked_by: string
  closed_at: string
}

const secret = 'agentSecret012345678901234567890'
const environment = { QD_ADMIN_PASSWORD: 'correct horse battery', QD_AGENT_SECRET: secret }
/** More processes than whatever else this machine starts or ends meanwhile; other tests open and close thousands of connections. */
const many = 150

let data: string
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
let program: Program
let agent: RealAgent
let browser: Browser
let origin: string
let receiver: Receiver
let group: number
let crowd: ChildProcess | null = null

async function startServer(port: number): Promise<void> {
  program = startProgram(['--no-agent', '--port', String(port), '--data', data], environment)
  origin = await program.ready()
  browser = createBrowser(origin)
  await browser.login('admin', environment.QD_ADMIN_PASSWORD)
}

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'qd-alerts-'))
  folder = mkdtempSync(join(tmpdir(), 'qd-alerts-agent-'))
  built = await buildAgent()
  receiver = await startReceiver()
  await startServer(0)
  const port = Number(new URL(origin).port)
  agent = startRealAgent({ program: built.agent, port, secret, uuid: uuidOf(1), folder })
  await vi.waitFor(async () => expect(await processes()).toBeGreaterThan(0), 30_000)
  await browser.api('PATCH', 'server/1', { name: 'web-1' })
  group = await receiver.addGroup(browser)
}, 300_000)
afterAll(async () => {
  disperse()
  await agent?.stop()
  program?.child.kill('SIGKILL')
  await program?.ended
  await receiver?.close()
  built?.close()
  for (const path of [data, folder]) rmSync(path, { recursive: true, force: true })
})

async function processes(): Promise<number> {
  const servers = (await browser.api('GET', 'server')) as { state?: { process_count?: number } }[] | null
  return servers?.[0]?.state?.process_count ?? 0
}

/** Twice as many processes as the limit leaves room for. */
async function gather(): Promise<void> {
  const script = 'for _ in $(seq "$1"); do sleep 600 & done; echo; wait'
  crowd = spawn('sh', ['-c', script, 'crowd', String(2 * many)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(crowd.stdout!, 'data')
}

function disperse(): void {
  if (crowd) process.kill(-crowd.pid!, 'SIGKILL')
  crowd = null
}

const addRule = (fields: object) =>
  browser.api('POST', 'alert-rule', {
    enable: true,
    notification_group_id: group,
    trigger_mode: 0,
    ...fields,
  }) as Promise<number>

async function incidentOf(ruleId: number): Promise<Incident> {
  const { value = [] } = (await browser.api('GET', 'incident')) as { value?: Incident[] }
  const found = value.find(({ rule_id }) => rule_id === ruleId)
  if (!found) throw new Error(`rule ${ruleId} has no incident`)
  return found
}

const nextMessage = async () => (JSON.parse((await receiver.inbox.next(60_000)).body) as { text: string }).text

let crowded: number
let hushed: number

test('in a maintenance window an incident opens quietly, and is told of when the window is gone', async () => {
  const window = await browser.api('POST', 'maintenance-window', {
    name: 'disk change',
    starts_at: '2026-01-01T00:00:00Z',
    ends_at: '2999-01-01T00:00:00Z',
    cover: 1,
    servers: [1],
    services: [],
    note: '',
  })
  hushed = await addRule({ name: 'busy', rules: [{ type: 'tcp_conn_count', max: 1, duration: 3, cover: 0 }] })
  await vi.waitFor(async () => expect(await incidentOf(hushed)).toMatchObject({ quiet: true, told: [] }), 40_000)
  // Issue 36.36: visitors read what is affected, not what the rule is called.
  const { value = [] } = (await createBrowser(origin).api('GET', 'incident')) as { value?: { name: string }[] }
  expect(new Set(value.map(({ name }) => name))).toEqual(new Set(['web-1']))
  await browser.api('POST', 'batch-delete/maintenance-window', [window])
  expect(await nextMessage()).toMatch(/^\[Incident\] web-1\(.*\) busy: .+, limit .+, since .+$/)
}, 300_000)

test('a rule fires: an incident is opened, its group is told, its task runs on that server', async () => {
  const max = (await processes()) + many
  const mark = join(folder, 'ran')
  const task = await browser.api('POST', 'cron', {
    name: 'note',
    task_type: 1,
    cover: 2,
    command: `hostname > ${mark}`,
    servers: [],
  })
  crowded = await addRule({
    name: 'crowded',
    rules: [{ type: 'process_count', max, duration: 3, cover: 0 }],
    fail_trigger_tasks: [task],
  })
  await gather()
  expect(await nextMessage()).toMatch(/^\[Incident\] web-1\(.*\) crowded: .+, limit .+, since .+$/)
  await vi.waitFor(async () => {
    const { told, runs, ...incident } = await incidentOf(crowded)
    expect(incident).toMatchObject({ state: 'open', server_id: 1, reading: { metric: 'process_count', limit: max } })
    expect(told).toMatchObject([{ name: 'hook', ok: true }])
    expect(await browser.api('GET', `run/${runs[0]}`)).toMatchObject({
      name: 'note',
      started_by: 'alert-rule crowded',
      items: [{ server_id: 1, state: 'success' }],
    })
  }, 30_000)
  expect(readFileSync(mark, 'utf8')).not.toBe('')
  const rules = (await browser.api('GET', 'alert-rule')) as { id: number; firing?: number[] }[]
  expect(rules.find(({ id }) => id === crowded)!.firing).toEqual([1])
}, 300_000)

test('a back-test says where the rule would have fired in the last hour', async () => {
  const backtest = (rules: object[]) => browser.api('POST', 'alert-rule/backtest', { rules })
  const fires = { type: 'process_count', max: 1, duration: 3, cover: 0 }
  const never = { type: 'cpu', max: 200, duration: 3, cover: 0 }
  expect(await backtest([fires])).toMatchObject({
    servers: 1,
    with_data: 1,
    fired: [{ server_id: 1, server_name: 'web-1', to: null, limit: 1 }],
  })
  expect(await backtest([fires, never])).toMatchObject({ fired: [], without: [0, 1] })
  expect(await backtest([{ type: 'gpu_max', max: 1, duration: 3, cover: 0 }])).toMatchObject({ fired: [] })
})

test('a test message says that it is one, and runs nothing', async () => {
  const answer = await browser.api('POST', `alert-rule/${crowded}/test`, { server_id: 1 })
  expect(answer).toMatchObject({ told: [{ name: 'hook', ok: true, error: '' }] })
  expect(await nextMessage()).toMatch(/^\[Test\] \[Incident\] web-1\(.*\) crowded$/)
  expect((await incidentOf(crowded)).runs).toHaveLength(1)
})

test('taken by somebody, over a restart, until it is over: nothing is told twice, and the end is', async () => {
  const { id } = await incidentOf(crowded)
  await browser.api('POST', `incident/${id}/ack`)
  expect(await incidentOf(crowded)).toMatchObject({ state: 'acknowledged', acked_by: 'admin' })
  const again = await browser.send('POST', `/api/v1/incident/${id}/ack`)
  expect(again.body).toMatchObject({ code: 'blocked', params: { reason: 'isAcknowledged' } })
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await startServer(Number(new URL(origin).port))
  expect(await incidentOf(crowded)).toMatchObject({ id, state: 'acknowledged' })
  const restarted = Date.now()
  disperse()
  // The other rule, which fails on, has been judged by then as well.
  expect(await nextMessage()).toMatch(/^\[Resolved\] web-1\(.*\) crowded: .+, limit .+, began .+$/)
  expect(await incidentOf(hushed)).toMatchObject({ state: 'open', told: [{ ok: true }] })
  await vi.waitFor(async () => {
    const incident = await incidentOf(crowded)
    expect(incident).toMatchObject({ id, state: 'closed' })
    expect(Date.parse(incident.closed_at)).toBeGreaterThan(restarted)
    expect(incident.told).toHaveLength(2)
  }, 30_000)
  await vi.waitFor(async () => {
    const events = (await browser.api('GET', 'server/1/event')) as { kind: string; params: { name?: string } }[]
    const named = events.filter(({ params }) => params.name === 'crowded').map(({ kind }) => kind)
    expect(named).toEqual(['incident-closed', 'incident-opened'])
  }, 30_000)
}, 300_000)
