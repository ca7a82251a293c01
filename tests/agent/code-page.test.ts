import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunItem } from '@qd/core/resources'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let browser: Browser
let programs: Pick<Programs, 'agent' | 'close'>
const folders: string[] = []
const agents: RealAgent[] = []

beforeAll(async () => {
  programs = await buildAgent()
  world = await createWorld()
  browser = await world.login()
  const { LANG: _lang, LC_ALL: _all, LC_CTYPE: _type, ...rest } = process.env
  for (const [n, locale] of ['zh_CN.GBK', 'C.UTF-8'].entries()) {
    const folder = mkdtempSync(join(tmpdir(), 'qd-code-page-'))
    folders.push(folder)
    const environment = { ...(rest as Record<string, string>), LC_ALL: locale }
    agents.push(
      startRealAgent({
        program: programs.agent,
        port: world.port,
        secret: siteSecret,
        uuid: uuidOf(n + 1),
        folder,
        environment,
      }),
    )
    while (
      !world.server.container.servers
        .all()
        .some(({ id }) => id === n + 1 && world.server.container.agents.connected(id))
    )
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await world.close()
  programs.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const outputOf = async (server: number, command: string) => {
  const { run_id } = (await browser.api('POST', 'exec', { servers: [server], command, time_limit: 60 })) as {
    run_id: number
  }
  let item: RunItem | undefined
  await expect
    .poll(async () => {
      item = ((await browser.api('GET', `run/${run_id}`)) as { items: RunItem[] }).items[0]!
      return item.state
    })
    .toBe('success')
  return item!.output
}
/** 中文 in GBK, then a line in UTF-8. */
const print = "printf '\\326\\320\\316\\304\\n'; printf 'gr\\303\\274n\\n'"

test('issue 36.7: what a host prints in its own character set is read in it; what it prints in UTF-8 stays', async () => {
  expect(await outputOf(1, print)).toBe('中文\ngrün\n')
})

test('issue 36.7: where the set is not known, U+FFFD stands in its place and a word says so', async () => {
  expect(await outputOf(2, print)).toBe('\ufffd\ufffd\ufffd\ufffd\ngrün\n\n[4 bytes aren’t UTF-8]')
})
