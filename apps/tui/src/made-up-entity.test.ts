import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScript } from '../../../tests/support/api-tokens.ts'
import { type Berth, createBerthWorld } from '../../../tests/support/made-up-entity.ts'
import type { World } from '../../../tests/support/world.ts'
import { runProgram } from './program.ts'
import { createTestIo } from './test-io.ts'

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
  const io = createTestIo({ args, input: 'sesame\n', env: { QD_URL: world.origin, QD_TOKEN: token }, columns: 100 })
  const code = await runProgram(io)
  return { code, ...io.written() }
}

test('an entity that no line of qd knows is listed, made, changed, acted on, filtered and deleted by its definition', async () => {
  const made = await qd('berth', 'create', '--name', 'pier 1', '--tasks', 'mend', '--code-file', '-')
  expect(made).toMatchObject({ code: 0 })
  expect(await qd('berth', 'create', '--name', 'pier 2')).toMatchObject({ code: 0 })
  const list = async (...flags: string[]) => JSON.parse((await qd('berth', 'ls', '--json', ...flags)).stdout) as Berth[]
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
