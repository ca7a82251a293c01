import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serviceBody } from '../support/bodies.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-watching-'))

const plainService = serviceBody({ type: 3, duration: 1, notify: true })

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
  const browser = await fleet.world.login()
  await browser.api('POST', 'service', { ...plainService, name: 'shop', target: 'shop.example.net:443' })
  await browser.api('POST', 'service', {
    ...plainService,
    name: 'router',
    type: 2,
    target: 'router.example.net',
    cover: 1,
    skip_servers: { [fleet.ids.get('web-1')!]: true },
  })
  await browser.api('POST', 'service', { ...plainService, name: 'mail', target: 'down.example.net:25' })
  await browser.api('POST', 'alert-rule', {
    name: 'cpu-hot',
    enable: true,
    rules: [{ type: 'cpu', max: 80, duration: 3, cover: 0, ignore: {} }],
    trigger_mode: 1,
    notification_group_id: 0,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })
  fleet.sample('web-2', { cpu: 97 })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  return screen
}
const rowOf = (rows: readonly string[], name: string) => rows.find((row) => row.includes(name)) ?? ''
const services = async () =>
  (await (await fleet.world.login()).api('GET', 'service/list')) as readonly {
    id: number
    name: string
    display_index: number
  }[]

test('services: state by shape and word, bars of days, latency; opened, each server has its latency in ranges', async () => {
  start({ columns: 140, rows: 40 })
  await screen.shows('live')
  await screen.press('g', 'v')
  await screen.shows(/Services {2}3/)
  const rows = (await screen.shows(/■ mail +down/)).split('\n')
  expect(rowOf(rows, 'mail')).toMatch(/·{29}█ +0\.00%/)
  await screen.shows((now) => /● shop +up .*·{29}▁ +100\.00% +1\d ms/.test(rowOf(now, 'shop.example')))
  expect(rowOf(screen.rows(), 'router.example')).toMatch(/Only web-1/)

  await screen.press('/', ...'mail', 'Enter', 'Enter')
  await screen.shows(/Services › mail/)
  await screen.shows(/^─ mail #\d+ ─.*■ down/m)
  await screen.shows(/connection refused/)
  await screen.shows(/web-1, 0% +no data in this range/)
  await screen.shows(/1 day with data, uptime 0%/)
  await screen.press('Escape', 'Escape', '/', ...'shop', 'Enter', 'Enter')
  await screen.shows(/─ Latency by server ─.*‹24 h› {2}7 d {3}30 d/)
  await screen.shows((now) => ['web-1', 'web-2', 'db-1'].every((name) => rowOf(now, `${name}, 100%`).includes('ms')))
  await screen.press(']')
  await screen.shows(/24 h {2}‹7 d›/)
  await screen.press('[', '[')
  await screen.shows(/‹30 d›/)
})

test('N-05 P-22 Alt with an arrow moves a service at once, z takes it back, and without it the order is kept', async () => {
  start()
  await screen.shows('live')
  await screen.press('g', 'v')
  await screen.shows(/Services {2}3/)
  const order = (rows: readonly string[]) => rows.flatMap((row) => /^.{4}(shop|router|mail) /.exec(row)?.[1] ?? [])
  await screen.shows((rows) => order(rows).join() === 'shop,router,mail')
  const before = await services()
  screen.send('\u001b[1;3B')
  await screen.shows((rows) => order(rows).join() === 'router,shop,mail')
  await screen.shows(/Move down: shop · Undo z · \d s/)
  expect(await services()).toEqual(before.map((one) => expect.objectContaining({ display_index: one.display_index })))
  await screen.press('z')
  await screen.shows('Undone')
  await screen.shows((rows) => order(rows).join() === 'shop,router,mail')

  screen.send('\u001b[1;3B')
  await screen.shows((rows) => order(rows).join() === 'router,shop,mail')
  // What is pending is sent when qd quits.
  await screen.press('q')
  expect(await screen.ended).toMatchObject({ code: 0 })
  const lead = async () => {
    const now = await services()
    const weight = (name: string) => now.find((one) => one.name === name)!.display_index
    return weight('router') - weight('shop')
  }
  await expect.poll(lead).toBeGreaterThan(0)
})

test('an incident is counted in the header, acknowledged by a key, silenced by another, and says whom it told', async () => {
  start()
  await screen.shows(/■ \d incidents?/)
  await screen.press('g', 'i')
  await screen.shows(/■ cpu-hot|■ open/)
  await screen.press('/', ...'cpu-hot', 'Enter')
  await screen.shows((rows) => /cpu-hot +■ open +web-2 +CPU 97%/.test(rowOf(rows, '▌')))
  await screen.press('a')
  await screen.shows((rows) => rowOf(rows, '▌').includes('acknowledged'))
  await screen.press('Enter')
  await screen.shows(/Incidents › cpu-hot/)
  await screen.shows(/Acknowledged by +admin/)
  // Issue 12, beyond: all that happened in its time, in order.
  await screen.shows(/Timeline[\s\S]*Incident opened[\s\S]*admin acknowledged it/)
  await screen.press('m')
  await screen.shows(/cpu-hot › Silence/)
  await screen.press('Backspace', 'Backspace', 'Backspace', 'Backspace', ...'2h', 'Ctrl+s')
  await screen.shows(/State +silenced/)
  await screen.shows(/Silenced until/)
})

test('a server shows its history in ranges, what happened to it, and its incidents', async () => {
  start({ columns: 120, rows: 60 })
  await screen.shows('live')
  await screen.press('/', ...'web-2', 'Enter', 'Enter')
  await screen.shows(/Servers › web-2/)
  await screen.shows(/─ History ─.*‹1 h› {2}24 h {3}7 d {3}30 d/)
  // A step of history is a mean of what was measured in it, and what is shown is asked for again every half minute.
  await screen.shows(/CPU [\d.]+% +mean [\d.]+%, peak [\d.]+%/, 45_000)
  await screen.shows(/─ Incidents ─/)
  await screen.shows(/97%, limit 80%/)
  await screen.shows(/─ Events ─.*Incident opened: cpu-hot.*Came online/s, 45_000)
  await screen.press(']')
  await screen.shows(/1 h {2}‹24 h›/)
})

test('T-13 T-15 T-29 the same without colours, in ASCII and in words', async () => {
  start({ columns: 120, args: ['--ascii'], env: { NO_COLOR: '1' } })
  await screen.shows('live')
  await screen.press('g', 'v')
  await screen.shows((rows) => /x mail +down .*\.{29}#/.test(rowOf(rows, 'down.example')))
  expect([...screen.text()].filter((sign) => sign > '~')).toEqual([])
  await screen.close()

  // An answer without data points is said as well: as nothing.
  const browser = await fleet.world.login()
  const { id } = (await services()).find(({ name }) => name === 'router')!
  const history = () => browser.api('GET', `service/${id}/history?period=1d`) as Promise<{ servers: unknown[] }>
  await expect.poll(async () => (await history()).servers.length, { timeout: 30_000 }).toBeGreaterThan(0)
  start({ args: ['--screen-reader'] })
  await screen.shows(/Screen: Servers/)
  await screen.press('g', 'v')
  await screen.shows(/Row 1 of 3: router, up/)
  await screen.press('Enter')
  await screen.shows(/web-1, 100% 1\d ms, mean 1\d ms, peak 1\d ms/)
})

test('issue 14 DDNS: a profile is listed with how it stands; r updates it and says what came of each domain', async () => {
  const browser = await fleet.world.login()
  const make = (fields: object) =>
    browser.api('POST', 'ddns', { provider: 'dummy', enable_ipv4: true, max_retries: 1, ...fields }) as Promise<number>
  const home = await make({ name: 'home', domains: ['home.example.net'] })
  await make({ name: 'lab', provider: 'webhook', webhook_url: 'http://127.0.0.1:1/', domains: ['lab.example.net'] })
  const id = fleet.ids.get('web-1')!
  await browser.api('PATCH', `server/${id}`, { name: 'web-1', enable_ddns: true, ddns_profiles: [home] })
  start({ columns: 140, rows: 40 })
  await screen.shows('live')
  await screen.press('g', 'd')
  await screen.shows(/DDNS profiles {2}2/)
  await screen.shows((now) => /home\.example\.net.*web-1.*ok/.test(rowOf(now, 'home.example')))
  expect(rowOf(screen.rows(), 'lab.example')).toMatch(/never updated/)
  await screen.press('r')
  await screen.shows('home.example.net A 192.0.2.1 (web-1)')
  await screen.press('Escape', 'j', 'r')
  await screen.shows('No server uses this profile')
  await screen.press('Escape')
  await browser.api('PATCH', `server/${id}`, { name: 'web-1' })
})

test('issue 14 NAT: a profile is listed with whether its target is there; r looks again', async () => {
  const browser = await fleet.world.login()
  const id = fleet.ids.get('web-1')!
  const make = (name: string, host: string) =>
    browser.api('POST', 'nat', { name, enabled: true, server_id: id, host, domain: `${name}.example.test` })
  await make('lab', 'lab.internal:80')
  await make('attic', 'down.internal:80')
  start({ columns: 140, rows: 40 })
  await screen.shows('live')
  await screen.press('g', 'x')
  await screen.shows(/NAT profiles {2}2/)
  await screen.shows((now) => /web-1.*lab\.internal:80.*reachable/.test(rowOf(now, 'lab.example')))
  await screen.press('/', ...'attic', 'Enter', 'r')
  await screen.shows((now) => /unreachable/.test(rowOf(now, 'attic.example')))
})
