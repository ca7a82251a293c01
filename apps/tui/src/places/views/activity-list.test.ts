import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { startTestScreen } from '../../../../../tests/support/tui/screen.ts'
import { admin, createWorld, type World } from '../../../../../tests/support/world.ts'
import { loadTranslator } from '../../base/language.ts'
import { createCli } from '../../cli/commands/command.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('P-23: the terminal UI lists what was done in this session as it stands now, with its line for the CLI', async () => {
  const root = await world.login()
  await root.api('POST', 'cron', { name: 'mend', task_type: 1, scheduler: '', command: 'true', cover: 0, servers: [] })
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  const cli = createCli(createTestIo({ env }), { texts: () => loadTranslator('en-US'), flags: {} })
  const screen = await startTestScreen(cli, { columns: 100, rows: 40 })
  const shows = (pattern: RegExp) => expect.poll(screen.text).toMatch(pattern)
  try {
    await shows(/ live/)
    screen.go('activity')
    await shows(/Activity[ ─]*\n\s+No activity in this session yet/)
    screen.press('Escape')
    screen.go('cron')
    await shows(/mend/)
    screen.press('e')
    await shows(/Tasks › mend/)
    screen.type('2')
    screen.press('Ctrl+s')
    await shows(/Tasks {2}1[\s\S]*mend2/)
    // What is only opened is no activity; what is asked about and called off is none either.
    screen.press('D')
    await shows(/Confirm Deletion/)
    screen.press('Escape', 'Ctrl+k')
    screen.type('>activity')
    await shows(/Activity/)
    screen.press('Enter')
    await shows(/Activity[ ─]*\n ▌ ✓ \d\d:\d\d:\d\d Edit mend2\s+qd cron edit \S+ --name mend2/)
    expect(screen.text()).not.toMatch(/✓.*\n.*\n.*[✓✗↑] \d\d:/)
    screen.press('Escape', 'z')
    await shows(/Tasks {2}1[\s\S]*mend(?!2)/)

    // Somebody else took it away: the list says that it failed, and why.
    screen.press('D')
    await shows(/Confirm Deletion/)
    await root.api('POST', 'batch-delete/cron', [1])
    screen.press('Tab', 'Enter')
    screen.go('activity')
    await shows(/ ▌ [✓✗] \d\d:\d\d:\d\d Delete [\s\S]*Undo last edit mend2?/)
    // The newest is above, the focus goes down to the older ones.
    screen.press('j', 'j')
    await shows(/\n ▌ ✓ \d\d:\d\d:\d\d Edit mend2/)
  } finally {
    await screen.close()
  }
})
