import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { dashboard, good } from '../support/peers/fake-dashboard.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let screen: Screen
beforeAll(async () => {
  programs = await buildPrograms()
})
afterEach(() => screen?.close())
afterAll(() => programs?.close())

const stamp = '2026-01-02T03:04:05Z'
const service = {
  id: 4,
  created_at: stamp,
  updated_at: stamp,
  name: 'shop',
  type: 3,
  target: 'shop.example.net:443',
  duration: 30,
  cover: 0,
  skip_servers: { 7: true },
  notify: false,
  enable_show_in_service: true,
}

/** How they stand is told by another call: thirty days, today last. */
const standing = {
  services: {
    4: {
      service_name: 'shop',
      current_up: 96,
      current_down: 4,
      total_up: 960,
      total_down: 40,
      delay: Array(30).fill(42.4),
      up: Array(30).fill(32),
      down: Array(30).fill(1),
    },
  },
  cycle_transfer_stats: null,
}

test('an existing dashboard: its services are listed with what it tells of how they stand, and what only ours know is said to be missing', async () => {
  const signIn = { token: 'a.b.c', expire: new Date(Date.now() + 3_600_000).toISOString() }
  const { baseUrl, calls } = await dashboard({
    'POST login': () => ({
      ...good(signIn),
      headers: { 'set-cookie': ['nz-jwt=a.b.c; Path=/', 'nz-csrf=c.d; Path=/'] },
    }),
    'GET setting': () => good({ config: { site_name: 'fleet', language: 'en-US' }, version: '2.0.0' }),
    'GET profile': () => good({ id: 1, username: 'admin', role: 0 }),
    'GET server': () => good([]),
    'GET service/list': () => good([service]),
    'GET service': () => good(standing),
  })
  screen = startScreen({ qd: programs.qd, url: baseUrl, columns: 120, rows: 36 })
  await screen.shows(/Servers {2}0 .*admin@/)
  await screen.press('g', 'v')
  await screen.shows(/NAME +STATE +TARGET +PROBE +30 DAYS +UP +LATENCY/)
  await screen.shows(/ shop +up +shop\.example\.net:443 +TCPing .*▄ +96\.00% +42 ms/)
  await screen.press('Enter')
  await screen.shows(/Services › shop/)
  await screen.shows(/Latency by server/)
  await screen.shows((rows) => !rows.some((row) => row.includes('no data')))
  await screen.press('Escape', 'g', 'i')
  await screen.shows(/Incidents: not supported by this server/)
  await screen.press('g', 'y')
  await screen.shows(/Units: not supported by this server/)
  await screen.press('g', 'L')
  await screen.shows(/Logs aren’t supported by this server/)
  expect(calls().filter((call) => /incident|host/.test(call))).toEqual([])
})
