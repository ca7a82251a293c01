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
const home = mkdtempSync(join(tmpdir(), 'qd-form-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1', 'db-2'])
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
const tasks = async () =>
  (await (await fleet.world.login()).api('GET', 'cron')) as readonly {
    name: string
    servers: number[]
    scheduler: string
  }[]

test('a task is made by keyboard, with its reach and next runs before it is saved, run, and its results are seen', async () => {
  start({ columns: 120, rows: 36 })
  await screen.shows('live')
  await screen.press('g', 't')
  await screen.shows(/Tasks {2}2/)
  await screen.press('c')
  await screen.shows(/Tasks › new/)
  await screen.press(...'say-hello', 'Tab', ...'echo hello', 'Tab', 'Tab', ...'0 0 4 *')
  await screen.press('Tab')
  await screen.shows(/✗ .*field/)
  await screen.press('Shift+Tab', ...' * *', 'Tab')
  await screen.shows(/04:00:00/)
  await screen.press('Tab', 'Enter')
  await screen.shows('0 selected')
  await screen.press('/', ...'group:web')
  await screen.shows((rows) => rows.filter((row) => row.includes('[ ] ●')).length === 2)
  screen.send('\u0001')
  await screen.shows('2 selected')
  await screen.press('Enter')
  await screen.shows(/Only these 2/)
  await screen.shows('2 online, will run')
  await screen.shows(/= qd cron create --name say-hello .*--servers/)
  await screen.press('Ctrl+s')
  await screen.shows('Saved say-hello')
  expect((await tasks()).find(({ name }) => name === 'say-hello')).toMatchObject({
    scheduler: '0 0 4 * * *',
    servers: [fleet.ids.get('web-1'), fleet.ids.get('web-2')],
  })

  await screen.press(':', ...'cron run say', 'Enter')
  await screen.shows('┌ Run now')
  expect(screen.text()).toMatch(/Only these 2/)
  await screen.press('Tab', 'Enter')
  await screen.shows(/Runs › say-hello › run \d+/)
  await screen.shows((rows) => rows.filter((row) => /✓ success +0 +0\.4 s +done on web-\d/.test(row)).length === 2)
  await screen.press('Enter')
  await screen.shows('ran echo hello')
})

test('T-26 P-20 a question stands on Cancel: Enter changes nothing, and a failing run says where', async () => {
  start()
  await screen.shows('live')
  await screen.press('g', 't')
  await screen.shows(/rotate-logs/)
  await screen.press(':', ...'cron run rotate', 'Enter')
  await screen.shows('▌[ Cancel ]')
  await screen.press('Enter')
  await screen.shows((rows) => !rows.join('').includes('Cancel'))
  await screen.press(':', ...'cron run rotate', 'Enter')
  await screen.shows('▌[ Cancel ]')
  await screen.press('Tab', 'Enter')
  await screen.shows(/✗ 1/)
  const rows = (await screen.shows(/▌ db-2 +✗ failure +2 +3\.1 s +no space left/)).split('\n')
  expect(rows.findIndex((row) => row.includes('db-2'))).toBeLessThan(rows.findIndex((row) => row.includes('web-1')))
  await screen.press('/', ...'state:failure', 'Enter')
  await screen.shows((lines) => lines.filter((row) => /✓ success/.test(row)).length === 0)
})

test('T-24 multi-line commands go through $EDITOR and back; Escape asks while there are changes', async () => {
  const editor = join(home, 'editor.sh')
  writeFileSync(editor, '#!/bin/sh\nprintf "first line\\nsecond line\\n" > "$1"\n', { mode: 0o755 })
  start({ env: { EDITOR: editor } })
  await screen.shows('live')
  await screen.press(':', ...'cron edit rotate-logs', 'Enter')
  await screen.shows(/Tasks › rotate-logs › edit/)
  await screen.press('Tab', 'Enter')
  await screen.shows('second line')
  await screen.shows(/2 lines, ↵ opens \$EDITOR/)
  expect(screen.isAlternate()).toBe(true)
  await screen.press('Escape')
  await screen.shows('Leave without saving?')
  await screen.press('Enter')
  await screen.shows(/rotate-logs › edit/)
  await screen.press('Escape')
  await screen.shows('Leave without saving?')
  await screen.press('Tab', 'Enter')
  await screen.shows((rows) => !rows[0]!.includes('edit'))
  expect((await tasks()).length).toBeGreaterThan(1)
})

test('T-24 while the editor has the terminal, nothing is drawn over it', async () => {
  const editor = join(home, 'own-screen.sh')
  const done = join(home, 'done')
  writeFileSync(editor, `#!/bin/sh\nprintf '\\033[2J\\033[Hthe editor'\nuntil [ -e ${done} ]; do sleep 0.1; done\n`, {
    mode: 0o755,
  })
  start({ env: { EDITOR: editor } })
  await screen.shows('live')
  await screen.press(':', ...'cron edit restart', 'Enter')
  await screen.shows(/restart-workers › edit/)
  await screen.press('Tab', 'Enter')
  await screen.shows((rows) => rows[0] === 'the editor')
  const at = Date.now()
  // The clock of the frame would have moved by then.
  await screen.shows(() => Date.now() - at > 1500)
  expect(screen.text().trim()).toBe('the editor')
  writeFileSync(done, '')
  await screen.shows(/restart-workers › edit/)
  await screen.press('Escape')
})

test('P-22 a saved edit is taken back with z', async () => {
  start()
  await screen.shows('live')
  await screen.press(':', ...'cron edit restart', 'Enter')
  await screen.shows(/restart-workers › edit/)
  await screen.press(...'-x', 'Ctrl+s')
  await screen.shows(/Saved restart-workers-x · Undo z · \d s/)
  await screen.press('z')
  await screen.shows('Undone')
  expect((await tasks()).map(({ name }) => name)).toContain('restart-workers')
})

test('T-25 a paste of many lines into a field is one edit', async () => {
  start()
  await screen.shows('live')
  await screen.press(':', ...'cron create', 'Enter')
  await screen.shows(/Tasks › new/)
  await screen.press('Tab')
  screen.send(`\u001b[200~${Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\r')}\u001b[201~`)
  await screen.shows(/200 lines/)
})

test('deleting many asks for words; Delete is out of reach until they are typed', async () => {
  const browser = await fleet.world.login()
  for (let index = 0; index < 10; index++)
    await browser.api('POST', 'server-group', { name: `old-${index}`, servers: [] })
  start()
  await screen.shows('live')
  await screen.press('g', 'c')
  await screen.shows(/Server groups {2}11/)
  await screen.press('/', ...'old', 'Enter', '*', 'D')
  await screen.shows(/Type {2}10 server groups {2}to confirm/)
  await screen.press('Tab', 'Enter')
  await screen.shows('Type 10 server groups first')
  await screen.press(...'10 server groups', 'Enter')
  await screen.shows(/Server groups {2}0 of 1/)
  expect((await browser.api('GET', 'server-group')) as unknown[]).toHaveLength(1)
})

test('N-09 a session that ended asks in place and keeps what was typed', async () => {
  start()
  await screen.shows('live')
  await screen.press(':', ...'cron create', 'Enter')
  await screen.shows(/Tasks › new/)
  await screen.press(...'kept-name', 'Tab', ...'true')
  const admin = await fleet.world.login()
  await admin.api('POST', 'profile', {
    original_password: 'correct horse battery',
    new_username: 'admin',
    new_password: 'another long password',
    reject_password: false,
  })
  await screen.press('Tab', 'Tab', ...'@every 5m', 'Ctrl+s')
  // The dialog, not only its message: what is typed is for it.
  await screen.shows(/┌ Your session has ended/)
  expect(screen.text()).toContain('kept-name')
  await screen.press(...'another long password', 'Enter')
  await screen.shows('Saved kept-name')
  const again = await fleet.world.login({ username: 'admin', password: 'another long password' })
  expect(await again.api('GET', 'cron')).toContainEqual(expect.objectContaining({ name: 'kept-name', command: 'true' }))
})
