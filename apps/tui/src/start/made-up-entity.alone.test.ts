import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScript } from '../../../../tests/support/api-tokens.ts'
import { type Berth, createBerthWorld } from '../../../../tests/support/made-up-entity.ts'
import { createTestIo } from '../../../../tests/support/tui/io.ts'
import { runQd } from '../../../../tests/support/tui/run.ts'
import { startTestScreen } from '../../../../tests/support/tui/screen.ts'
import { admin, type World } from '../../../../tests/support/world.ts'
import { loadTranslator } from '../base/language.ts'
import { createCli } from '../cli/commands/command.ts'

let world: World
let token: string
beforeAll(async () => {
  world = await createBerthWorld()
  const root = await world.login()
  await root.api('POST', 'cron', { name: 'mend', task_type: 1, scheduler: '', command: 'true', cover: 0, servers: [] })
  const scopes = ['nezha:server:*', 'nezha:cron:*', 'nezha:notification:*', 'nezha:notification-group:*']
  token = (await createScript(world, root, { scopes })).token
})
afterAll(() => world?.close())

async function qd(...args: string[]) {
  return qdOn([], ...args)
}

async function qdOn(terminal: readonly 'stdout'[], ...args: string[]) {
  return qdWith({ terminal, input: 'sesame\n' }, ...args)
}

async function qdWith({ terminal, input }: { terminal: readonly 'stdout'[]; input: string }, ...args: string[]) {
  const env = { QD_URL: world.origin, QD_TOKEN: token }
  return runQd({ args, input, env, terminal, columns: 100 })
}

/** The records that there are, or those that flags choose. */
async function list(...flags: string[]): Promise<Berth[]> {
  return JSON.parse((await qd('berth', 'ls', '--json', ...flags)).stdout)
}

test('an entity that no line of qd knows is listed, made, changed, acted on, filtered and deleted by its definition', async () => {
  const made = await qd('berth', 'create', '--name', 'pier 1', '--tasks', 'mend', '--code-file', '-')
  expect(made).toMatchObject({ code: 0 })
  expect(await qd('berth', 'create', '--name', 'pier 2')).toMatchObject({ code: 0 })
  expect(await list()).toMatchObject([
    { name: 'pier 1', lit: false, tasks: [1] },
    { name: 'pier 2', lit: false, tasks: [] },
  ])
  expect((await qd('berth', 'ls')).stdout).toMatch(/pier 1 .*mend/)
  expect(await qd('berth', 'light', 'pier 1')).toMatchObject({ code: 0 })
  expect(await list('--select', 'lit:yes')).toMatchObject([{ name: 'pier 1' }])
  expect(await qd('berth', 'edit', 'pier 2', '--name', 'pier 3', '--tasks', 'nobody')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('nobody'),
  })
  expect(await qd('berth', 'edit', 'pier 2', '--name', 'pier 3')).toMatchObject({ code: 0 })
  expect(await qd('berth', 'delete', 'pier 3', '--yes')).toMatchObject({ code: 0 })
  expect((await list()).map(({ name }) => name)).toEqual(['pier 1'])
})

test('issue 13: the terminal UI lists, makes, shows and deletes it by its definition, and the palette finds it', async () => {
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
  const cli = createCli(createTestIo({ env }), { texts: () => loadTranslator('en-US'), flags: {} })
  const screen = await startTestScreen(cli, { columns: 100, rows: 40 })
  const shows = (pattern: RegExp) => expect.poll(screen.text).toMatch(pattern)
  try {
    await shows(/Servers {2}0 [\s\S]* live/)
    screen.go('berth')
    await shows(/▌.*pier 1 .*mend/)

    screen.press('c')
    await shows(/beside/)
    screen.type('pier 9')
    screen.press('Ctrl+s')
    // The form itself shows the name that was typed.
    await expect.poll(async () => (await list()).map(({ name }) => name)).toContain('pier 9')
    await shows(/pier 9/)
    expect(await qd('berth', 'edit', 'pier 1', '--beside', 'pier 9')).toMatchObject({ code: 0 })

    expect((await qdOn(['stdout'], 'berth', 'get', 'pier 9')).stdout).toMatch(/\nUsed by\n {2}.*: pier 1\n$/)
    expect((await qd('berth', 'get', 'pier 9')).stdout).not.toContain('Used by')
    const keys = ['id', 'created_at', 'updated_at', 'name', 'notification_group_id', 'tasks', 'beside', 'lit']
    expect(Object.keys(JSON.parse((await qd('berth', 'get', 'pier 9', '--json')).stdout))).toEqual(keys)

    // The page is that of the row under the bar, whatever is marked.
    screen.press('*', 'End', 'i')
    await shows(/› pier 9[\s\S]*─ pier 9 #\d+ ─[\s\S]*─ Used by ─[\s\S]*pier 1/)
    // Enter leads to what uses it, Escape back.
    await shows(/\[↵\] open/)
    screen.press('Enter')
    await shows(/› pier 1[\s\S]*─ pier 1 #\d+ ─/)
    screen.press('Escape')
    await shows(/› pier 9/)
    screen.press('Ctrl+k')
    screen.type('light')
    await shows(/berth\.actions\.light/)
    screen.press('Escape', 'D')
    await shows(/Confirm Deletion\?[\s\S]*Used by .*: pier 1/)
    screen.press('Tab', 'Enter')
    await expect.poll(async () => (await qd('berth', 'get', 'pier 9')).code).not.toBe(0)
  } finally {
    await screen.close()
  }
})

test('it is exported, compared and applied by its definition: records that name each other, another entity and a secret', async () => {
  const file =
    (text: string) =>
    (...args: string[]) =>
      qdWith({ terminal: [], input: text }, ...args)
  const quays = `quarterdeck: 1
berth:
  - {name: quay a, beside: quay b, tasks: [moor], code: sesame}
  - {name: quay b, beside: quay a, lit: true}
cron:
  - {name: moor, task_type: triggered, command: "true", cover: onAlert}
`
  expect(await file(quays)('apply', '-', '--yes')).toMatchObject({ code: 0 })
  const made = (await list()).filter(({ name }) => name.startsWith('quay'))
  const [a, b] = made as [Berth, Berth]
  expect(made).toMatchObject([
    { beside: b.id, tasks: [expect.any(Number)] },
    { beside: a.id, lit: true },
  ])
  const { stdout } = await qd('export', '--all', '--json', 'berth,cron')
  expect(JSON.parse(stdout).berth).toContainEqual({
    name: 'quay a',
    notification_group_id: null,
    tasks: ['moor'],
    beside: 'quay b',
    code: { unchanged: true },
    lit: false,
  })
  expect(JSON.parse(stdout).berth).toContainEqual(expect.not.objectContaining({ code: expect.anything() }))
  expect(await file(stdout)('diff', '-')).toMatchObject({ code: 0, stdout: '' })
  const without = file('quarterdeck: 1\nberth: [{name: quay b, beside: null}]\n')
  expect(await without('apply', '-', '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(await list()).toMatchObject([{ name: 'quay b', beside: 0, lit: true }])
  expect(await without('diff', '-', '--prune')).toMatchObject({ code: 0 })
})
