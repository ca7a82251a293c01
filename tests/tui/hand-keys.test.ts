import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-hand-'))
const names = Array.from({ length: 30 }, (_, at) => `h-${String(at + 1).padStart(2, '0')}`)

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(names)
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  await screen.shows('live')
  await screen.shows('h-01')
}
/** The row under the bar. */
const onRow = (name: string) => screen.shows((rows) => rows.some((row) => row.startsWith('▌') && row.includes(name)))

test('issue 18: G, gg, pages and half pages, counts before motions and before G', async () => {
  await start()
  await onRow('h-01')
  await screen.press('G')
  await onRow('h-30')
  await screen.press('g', 'g')
  await onRow('h-01')
  await screen.press('5', 'j')
  await onRow('h-06')
  await screen.press('1', '2', 'j', '3', 'k')
  await onRow('h-15')
  await screen.press('2', '0', 'G')
  await onRow('h-20')
  await screen.press('g', 'g', '\u0004')
  const half = await screen.shows((rows) => rows.some((row) => /^▌.*h-(0[89]|1\d)/.test(row)))
  expect(half).not.toMatch(/▌.*h-01/)
  await screen.press('\u0015')
  await onRow('h-01')
  await screen.press('\u0006')
  await screen.shows((rows) => rows.some((row) => /^▌.*h-(1[5-9]|2\d)/.test(row)))
  await screen.press('\u0002')
  await onRow('h-01')
})

test('issue 18: a number alone goes to that list, once nothing follows it', async () => {
  await start()
  await screen.press('2')
  await screen.shows('2 … Services')
  await screen.shows(/^ qd {2}Services/m)
  await screen.press('1')
  await screen.shows(/^ qd {2}Servers/m)
})

test('issue 18: Tab completes the filter, once more takes the next choice; what may stand next is said', async () => {
  await start({ columns: 120 })
  await screen.press('/', ...'stat')
  await screen.shows(/\/stat▁ +.*status:/)
  await screen.press('Tab')
  await screen.shows(/\/status:▁ +.*offline/)
  await screen.press('Tab')
  const first = /\/(status:\w+)▁/.exec(await screen.shows(/\/status:\w+▁/))![1]!
  await screen.press('Tab')
  await screen.shows((rows) => /\/status:\w+▁/.test(rows[1]!) && !rows[1]!.includes(`/${first}▁`))
  await screen.press('Shift+Tab')
  await screen.shows(`/${first}▁`)
})

test('issue 18: names after a colon: plurals, other programs’ words, a selection, an id, a pasted line', async () => {
  await start()
  await screen.press(':', ...'tasks', 'Enter')
  await screen.shows(/^ qd {2}Tasks/m)
  await screen.press(':', ...'server name:h-07', 'Enter')
  await screen.shows(/Servers {2}1 of 30/)
  await screen.press(':')
  screen.send("qd servers list --select 'name:h-1'")
  await screen.shows('server ls --select')
  await screen.press('Enter')
  await screen.shows(/Servers {2}10 of 30/)
  await screen.press(':', ...'server 3', 'Enter')
  await screen.shows(/Servers › h-03/)
})

test('issue 18: an output is searched with /, n and N; y answers a question', async () => {
  await start()
  const browser = await fleet.world.login()
  // The agents of the fleet answer with the text of their command.
  const command = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join('\n')
  const servers = [fleet.ids.get('h-01')]
  await browser.api('POST', 'cron', { name: 'long', task_type: 1, command, cover: 0, servers })
  await screen.press(':', ...'cron run long')
  await screen.shows(/▌ cron run long/)
  await screen.press('Enter')
  await screen.shows(/\[ Cancel \]/)
  await screen.press('y')
  await screen.shows('✓ success')
  await screen.press('Enter')
  await screen.shows('line 200')
  await screen.press('/', ...'line 5', 'Enter')
  await screen.shows(/1\/11/)
  await screen.shows((rows) => rows.some((row) => row.trim() === 'line 5'))
  await screen.press('n', 'n')
  await screen.shows(/3\/11/)
  await screen.shows((rows) => rows[2]!.trim() === 'line 51')
  await screen.press('N')
  await screen.shows(/2\/11/)
  // A number alone leads nowhere: it waits for its motion, and Escape drops it.
  await screen.press('Escape', 'g', 'g')
  await screen.shows((rows) => rows[1]!.trim() === 'ran line 1')
  await screen.press('5')
  await screen.shows(/^ 5 … *$/m)
  await screen.press('j')
  await screen.shows((rows) => rows[1]!.trim() === 'line 6')
  await screen.press('3', 'Escape')
  await screen.shows((rows) => rows[1]!.trim() === 'line 6' && !rows.some((row) => row.startsWith(' 3 …')))
  await screen.press('Escape', 'Escape')
  await screen.press(':', ...'cron', 'Enter')
  await screen.shows(/^ qd {2}Tasks/m)
  await onRow('long')
  await screen.press('D')
  await screen.shows(/\[ Cancel \]/)
  await screen.press('y')
  await screen.shows((rows) => rows[0]!.startsWith(' qd  Tasks  2') && !rows.some((row) => row.includes(' long ')))
})

test('issue 18: a capital letter orders by its column, and the keys say so', async () => {
  await start()
  await screen.press('N')
  await screen.shows(/NAME ↑/)
  await screen.press('N')
  await screen.shows(/NAME ↓/)
  await onRow('h-01')
  await screen.press('?', '/', ...'cpu')
  await screen.shows('Sort by CPU')
})

test('issue 18: n and N go to the rows that the last filter lets through, around the ends; N orders where none was set', async () => {
  await start()
  await screen.press('n')
  await onRow('h-01')
  await screen.press('/', ...'name:h-2', 'Enter')
  await screen.shows(/Servers {2}10 of 30/)
  await onRow('h-20')
  await screen.press('n')
  await onRow('h-21')
  await screen.press('N', 'N')
  await onRow('h-29')
  await screen.press('n')
  await onRow('h-20')
  // The filter goes, what it looked for stays.
  await screen.press('Escape')
  await screen.shows(/Servers {2}30 /)
  await screen.press('G', 'n')
  await onRow('h-20')
  await screen.press('N')
  await onRow('h-29')
  await screen.press('3', 'n')
  await onRow('h-22')
  await screen.press('?', '/', ...'match')
  await screen.shows(/N +Previous\s+matching row/)
})

test('issue 18: own aliases after a colon, and connections in the palette', async () => {
  const [other, empty] = [mkdtempSync(join(tmpdir(), 'qd-hand-')), 'http://127.0.0.1:9']
  const aliases = { late: "server ls --select 'name:h-2'", one: 'server name:$1', who: 'whoami', server: 'cron ls' }
  const profiles = { prod: { url: fleet.world.origin }, lab: { url: empty } }
  writeFileSync(join(other, 'config.json'), JSON.stringify({ aliases, profiles }), { mode: 0o600 })
  await start({ home: other })
  await screen.press(':', ...'lat')
  await screen.shows(/late +=? ?server ls --select/)
  await screen.press('Tab', 'Enter')
  await screen.shows(/Servers {2}10 of 30/)
  await screen.press(':', ...'one h-07', 'Enter')
  await screen.shows(/Servers {2}1 of 30/)
  await screen.press(':', ...'who', 'Enter')
  await screen.shows('who: ')
  await screen.press('Escape', ':', ...'server', 'Enter')
  await screen.shows(/^ qd {2}Servers/m)
  await screen.press('\u000b', ...'connection lab')
  await screen.shows('Connection: lab')
  await screen.press('Enter')
  await screen.shows(/lab/)
  await screen.shows(/cannot|refused|reach/i)
  rmSync(other, { recursive: true, force: true })
})
