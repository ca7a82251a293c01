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

test('issue 12: a picker of the terminal UI makes what is missing in place and comes back with it; the form behind keeps what was typed', async () => {
  const root = await world.login()
  const group = async () =>
    (await root.api('GET', 'notification-group')) as { group: { id: number; name: string } }[] | null
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  const cli = createCli(createTestIo({ env }), { texts: () => loadTranslator('en-US'), flags: {} })
  const screen = await startTestScreen(cli, { columns: 100, rows: 40 })
  const shows = (pattern: RegExp) => expect.poll(screen.text).toMatch(pattern)
  try {
    await shows(/ live/)
    screen.go('cron')
    await shows(/Tasks/)
    screen.press('c')
    await shows(/Tasks › new/)
    screen.type('nightly')
    for (let step = 0; step < 20 && !/Notification group.*↵/.test(screen.text()); step++) screen.press('Tab')
    screen.press('Enter')
    await shows(/New notification group…/)
    screen.type('/on call')
    await shows(/No results/)
    // Escape comes back to the form with nothing chosen, and nothing made.
    screen.press('Enter')
    await shows(/Notification groups › new[\s\S]*on call/)
    screen.press('Escape')
    await shows(/Leave without saving/)
    screen.press('Tab', 'Enter')
    await shows(/Tasks › new[\s\S]*nightly/)
    expect(await group()).toBeNull()

    screen.press('Enter')
    await shows(/New notification group…/)
    screen.type('/on call')
    screen.press('Enter')
    await shows(/Notification groups › new[\s\S]*on call/)
    screen.press('Ctrl+s')
    await shows(/Tasks › new[\s\S]*nightly[\s\S]*Notification group +on call/)
    expect((await group())!.map((one) => one.group.name)).toEqual(['on call'])
  } finally {
    await screen.close()
  }
})

test('issue 12: a server is put into groups from the list of servers; a group that is missing is made on the way', async () => {
  const root = await world.login()
  await world.agent()
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  const cli = createCli(createTestIo({ env }), { texts: () => loadTranslator('en-US'), flags: {} })
  const screen = await startTestScreen(cli, { columns: 100, rows: 40 })
  const shows = (pattern: RegExp) => expect.poll(screen.text).toMatch(pattern)
  try {
    await shows(/Servers {2}1 [\s\S]* live/)
    screen.press('Ctrl+k')
    screen.type('change groups')
    await shows(/Change groups/)
    screen.press('Enter')
    await shows(/▌ Add to/)
    screen.press('Ctrl+s')
    await shows(/No changes/)
    screen.press('Enter')
    await shows(/New server group…/)
    screen.type('/edge')
    screen.press('Enter')
    await shows(/Server groups › new[\s\S]*edge/)
    screen.press('Ctrl+s')
    await shows(/Add to +edge[\s\S]*edge: 1 added, 1 total/)
    screen.press('Ctrl+s')
    await expect.poll(() => root.api('GET', 'server-group')).toMatchObject([{ group: { name: 'edge' }, servers: [1] }])
  } finally {
    await screen.close()
  }
})
