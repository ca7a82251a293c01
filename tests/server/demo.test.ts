import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toInputFrame } from '@qd/protocol/stream-frames'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { openFiles } from '../support/file-session.ts'
import { startFakeDns } from '../support/peers/fake-dns.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { type Program, startProgram } from '../support/program.ts'
import { askForShell } from '../support/shells.ts'
import type { World } from '../support/world.ts'

const day = 86_400_000
const longMs = 120_000

let folder: string
let program: Program
let origin: string
let admin: Browser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-demo-'))
  mkdirSync(join(folder, 'real'))
  mkdirSync(join(folder, 'demo.new'))
  writeFileSync(join(folder, 'demo.new/mine'), '')
  await start()
}, longMs)
afterAll(async () => {
  await end()
  rmSync(folder, { recursive: true, force: true })
})

const data = () => join(folder, 'demo')

async function start() {
  program = startProgram(['--demo', '--port', '0', '--data', data()], {
    QD_DATA: join(folder, 'real'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  })
  origin = await program.ready()
  admin = createBrowser(origin)
  await admin.login('admin', 'quarterdeck')
}

async function end() {
  program.child.kill('SIGINT')
  expect(await program.ended).toBe(0)
}

interface Row {
  id: number
  name: string
  host: object
  geoip: { country_code: string }
  last_active: string
  state?: { cpu: number }
}
const servers = async () => (await admin.api('GET', 'server')) as Row[]
const isOnline = ({ last_active }: Row) => Date.now() - Date.parse(last_active) < 10_000
/** CPU of one server from 30 to 29 days ago. */
const oldest = async () => {
  const to = Math.floor(Date.now() / day) * day - 28 * day
  const { series } = (await admin.api('GET', `history?servers=17&metric=cpu&from=${to - day}&to=${to}&step=3600`)) as {
    series: { points: number[][] }[]
  }
  return series[0]!.points
}

test('starts with servers online, two incidents open, a month of history, and says what it is', async () => {
  expect(program.output.out).toContain('60 simulated servers')
  expect(program.output.out).toContain('Sign in as admin with the password quarterdeck')
  const all = await servers()
  expect(all).toHaveLength(60)
  expect(all.filter((row) => !isOnline(row)).map(({ name }) => name)).toEqual(['edge-gru-1', 'lab-fra-2'])
  expect(all.find(({ name }) => name === 'web-sin-1')!.geoip.country_code).toBe('sg')
  const incidents = (await admin.api('GET', 'incident')) as { value: { name: string; state: string }[] }
  const open = incidents.value.filter(({ state }) => state === 'open').map(({ name }) => name)
  expect(open.sort()).toEqual(['disk nearly full', 'offline'])
  expect((await oldest()).length).toBeGreaterThan(20)
  const { services } = (await admin.api('GET', 'service')) as { services: Record<string, { up: number[] }> }
  expect(Object.values(services).map(({ up }) => up.length)).toEqual(Array(12).fill(30))
  expect(Object.values(services).every(({ up }) => up.slice(1).every((count) => count > 0))).toBe(true)
  expect((await admin.send('GET', '/api/v1/capabilities')).text).toContain('"demo"')
})

test('live samples move', async () => {
  const cpu = async () => (await servers()).map(({ state }) => state?.cpu)
  const before = await cpu()
  await expect.poll(cpu, { timeout: 20_000 }).not.toEqual(before)
})

test('the servers come back when the agent secret is renewed', async () => {
  await admin.api('POST', 'profile/agent-secret', {})
  const renewedAt = Date.now()
  const later = async () => (await servers()).filter(({ last_active }) => Date.parse(last_active) > renewedAt).length
  await expect.poll(later, { timeout: 20_000 }).toBe(58)
})

test('commands, files, messages and updates answer without running, changing or sending anything', async () => {
  const { run_id } = (await admin.api('POST', 'exec', { servers: [17], command: 'uptime', time_limit: 60 })) as {
    run_id: number
  }
  const run = async (id: number) =>
    ((await admin.api('GET', `run/${id}`)) as { items: { state: string; exit_code: number; output: string }[] })
      .items[0]!
  await expect.poll(async () => (await run(run_id)).state).toBe('success')
  expect((await run(run_id)).output).toContain('load average')
  const mark = join(folder, 'touched')
  const other = (await admin.api('POST', 'exec', { servers: [17], command: `touch ${mark}`, time_limit: 60 })) as {
    run_id: number
  }
  await expect.poll(async () => (await run(other.run_id)).state).toBe('failure')
  expect((await run(other.run_id)).output).toContain('simulated server')
  expect(existsSync(mark)).toBe(false)

  const files = openFiles({ origin } as World, admin, 17)
  expect((await files.list('')).entries.map(({ name }) => name)).toEqual(['README.txt'])
  files.close()
  const shell = await openStreamSocket({ port: Number(new URL(origin).port) } as World, await askForShell(admin, 17), {
    browser: admin,
  })
  await shell.until('nothing is run')
  shell.send(toInputFrame(`touch ${mark}\r`))
  await shell.until('simulated server of the Quarterdeck demo')
  shell.send(toInputFrame('exit\r'))
  await shell.closed()
  expect(existsSync(mark)).toBe(false)

  expect(await admin.api('POST', 'notification/1/test')).toMatchObject({ status: 200 })
})

test('an update of DNS records asks no DNS server', async () => {
  const dns = await startFakeDns(['example.net'])
  const { config } = (await admin.api('GET', 'setting')) as { config: object }
  await admin.api('PATCH', 'setting', { ...config, dns_servers: dns.address })
  const [edge] = (await admin.api('GET', 'ddns')) as { id: number }[]
  await admin.api('PATCH', `ddns/${edge!.id}`, { ...edge, provider: 'cloudflare', access_secret: 'token' })
  const { results } = (await admin.api('POST', `ddns/${edge!.id}/update`)) as { results: Record<string, unknown> }
  expect(JSON.stringify(results)).toContain('cloudflare: ')
  expect(dns.asked).toEqual([])
  await dns.close()
})

test('keeps to its own folder, and neither start takes the other’s', async () => {
  expect(readdirSync(join(folder, 'real'))).toEqual([])
  expect(readdirSync(folder).sort()).toEqual(['demo', 'demo.new', 'real'])
  const real = startProgram(['--no-agent', '--port', '0', '--data', data()])
  expect(await real.ended).toBe(2)
  expect(real.output.errors).toContain('is the data folder of a demo')
  writeFileSync(join(folder, 'real/quarterdeck.db'), '')
  const other = startProgram(['--demo', '--port', '0', '--data', join(folder, 'real')])
  expect(await other.ended).toBe(2)
  expect(other.output.errors).toContain('needs a --data folder of its own')
})

test('the public password is good on this machine alone, whatever this start is given', async () => {
  const refused = async (more: string[], environment: Record<string, string>, at: string) => {
    const open = startProgram(['--demo', '--port', '0', ...more, '--data', at], environment)
    expect(await open.ended).toBe(2)
    expect(open.output.errors).toContain('the password of this demo is public')
    return open.output.errors
  }
  const fresh = join(folder, 'open')
  const other = { QD_ADMIN_PASSWORD: 'a password of ours' }
  await refused(['--host', '0.0.0.0'], {}, fresh)
  await refused(['--host', '0.0.0.0'], { QD_ADMIN_PASSWORD: 'quarterdeck' }, fresh)
  await refused(['--trust-proxy', 'loopback'], {}, fresh)
  expect(existsSync(fresh)).toBe(false)
  expect(await refused(['--host', '0.0.0.0'], other, data())).toContain(`delete ${data()}`)
})

test('what stands beside the data folder stays', () => {
  expect(readdirSync(join(folder, 'demo.new'))).toEqual(['mine'])
})

test(
  'a second start is the same demo',
  async () => {
    const facts = async () => (await servers()).map(({ id, name, host }) => ({ id, name, host }))
    const before = [await facts(), await oldest()]
    await end()
    await start()
    expect([await facts(), await oldest()]).toEqual(before)
    expect((await servers()).filter(isOnline)).toHaveLength(58)
  },
  longMs,
)
