import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { type Program, startProgram } from '../support/program.ts'
import { buildAgent } from '../support/programs.ts'
import { changeDatabaseOf } from '../support/test-database.ts'
import { uuidOf } from '../support/world.ts'

const secret = 'agentSecret012345678901234567890'
const environment = { QD_ADMIN_PASSWORD: 'correct horse battery', QD_AGENT_SECRET: secret }

let data: string
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
let program: Program
let agent: RealAgent
let browser: Browser
let receivers: { good: Receiver; slow: Receiver; broken: Receiver; down: Receiver }
let group: number

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'qd-notices-'))
  folder = mkdtempSync(join(tmpdir(), 'qd-notices-agent-'))
  built = await buildAgent()
  receivers = {
    good: await startReceiver(),
    slow: await startReceiver(),
    broken: await startReceiver(),
    down: await startReceiver(),
  }
  receivers.slow.answers = 'nothing'
  receivers.broken.answers = 500
  await receivers.down.close()
  await startServer()
  const port = Number(new URL(originOf()).port)
  agent = startRealAgent({ program: built.agent, port, secret, uuid: uuidOf(1), folder })
  await vi.waitFor(async () => expect(await servers()).toHaveLength(1), 30_000)
  await browser.api('PATCH', 'server/1', { name: 'web-1' })
  const { config } = (await browser.api('GET', 'setting')) as { config: object }
  const outbound_allowlist = Object.values(receivers).map(({ port: allowed }) => `127.0.0.1:${allowed}`)
  await browser.api('PATCH', 'setting', { ...config, outbound_allowlist })
  const ids = await Promise.all(Object.entries(receivers).map(addNotifier))
  group = (await browser.api('POST', 'notification-group', { name: 'ops', notifications: ids })) as number
})
afterAll(async () => {
  await agent?.stop()
  program?.child.kill('SIGKILL')
  await program?.ended
  await Promise.all(Object.values(receivers).map((receiver) => receiver.close()))
  built.close()
  for (const path of [data, folder]) rmSync(path, { recursive: true, force: true })
})

let origin = ''
const originOf = () => origin
async function startServer(): Promise<void> {
  program = startProgram(['--no-agent', '--port', '0', '--data', data], environment)
  origin = await program.ready()
  browser = createBrowser(origin)
  await browser.login('admin', environment.QD_ADMIN_PASSWORD)
}

const servers = async () => ((await browser.api('GET', 'server')) ?? []) as { last_active: string }[]

const addNotifier = ([name, receiver]: [string, Receiver]) =>
  browser.api('POST', 'notification', {
    name,
    url: `${receiver.origin}/${name}`,
    request_method: 2,
    request_type: 1,
    request_body: '{"text":"#NEZHA#","from":"#SERVER.NAME#"}',
    skip_check: true,
  }) as Promise<number>

const addTask = (fields: object) =>
  browser.api('POST', 'cron', {
    name: 'task',
    task_type: 1,
    cover: 0,
    servers: [1],
    notification_group_id: group,
    ...fields,
  }) as Promise<number>

const nextMessage = async () =>
  JSON.parse((await receivers.good.inbox.next(10_000)).body) as { text: string; from: string }

let hungNotice: unknown

test('a task tells its group, whatever the other receivers do', async () => {
  const id = await addTask({ name: 'hello', command: 'echo hi', push_successful: true })
  await browser.api('POST', `cron/${id}/manual`)
  expect(await nextMessage()).toEqual({
    text: '[Scheduled Task Executed Successfully] hello, web-1\nhi\n',
    from: 'web-1',
  })
  hungNotice = (await receivers.slow.inbox.next()).headers['x-quarterdeck-notice']
  expect(hungNotice).toMatch(/^\w{20}$/)
  const failing = await addTask({ name: 'broken', command: 'echo oh no; exit 3' })
  await browser.api('POST', `cron/${failing}/manual`)
  expect(await nextMessage()).toEqual({
    text: '[Scheduled Task Executed Failed] broken, web-1\noh no\nexit status 3',
    from: 'web-1',
  })
  expect(receivers.slow.inbox.unread).toEqual([])
  await vi.waitFor(async () => {
    const rows = (await browser.api('GET', 'notification')) as { name: string; last_error?: string }[]
    expect(Object.fromEntries(rows.map(({ name, last_error = '' }) => [name, last_error]))).toEqual({
      good: '',
      slow: '',
      broken: '500@500 Internal Server Error',
      down: `connect ECONNREFUSED 127.0.0.1:${receivers.down.port}`,
    })
  }, 30_000)
})

test('a server that is offline is told of', async () => {
  const id = await addTask({ name: 'later', command: 'echo hi' })
  await agent.stop()
  await vi.waitFor(async () => expect((await servers())[0]!.last_active).toMatch(/^0001/), 30_000)
  await browser.api('POST', `cron/${id}/manual`)
  expect(await nextMessage()).toEqual({
    text: '[Task failed] later: server web-1 is offline and cannot execute the task',
    from: 'web-1',
  })
})

test('the server stops in time while a receiver says nothing; at its start it sends that message once more, and tells which tasks can never run', async () => {
  const id = await addTask({ name: 'nightly', task_type: 0, scheduler: '0 0 3 * * *', command: 'true' })
  const began = Date.now()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(Date.now() - began).toBeLessThan(5000)
  changeDatabaseOf(data, `update crons set scheduler = 'never' where id = ${id}`)
  await startServer()
  expect((await receivers.slow.inbox.next()).headers['x-quarterdeck-notice']).toBe(hungNotice)
  expect(await nextMessage()).toEqual({
    text: `Tasks failed to register: [${id},] These tasks will not execute properly. Fix them in the admin dashboard.`,
    from: '#SERVER.NAME#',
  })
})
