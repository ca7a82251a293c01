import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { collectors } from '@qd/protocol/collectors'
import { vi } from 'vitest'
import { crate, cratesScript } from '../support/crate.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'
import { startTestAgent } from './world.ts'

/** What lifts crates: it mends their seals, and says so. */
const crane = (folder: string) => `#!/bin/sh
shift
for crate; do echo whole >'${folder}'/"$crate"; echo "lifted $crate"; done
`

/** Every registry of the product knows crates, and the real agent of a real server, web-1, has two of them; `close` undoes it all. */
export async function createCrateWorld(): Promise<World & { readonly serverId: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-crates-'))
  const crates = join(folder, 'crates')
  mkdirSync(crates)
  for (const [name, seal] of Object.entries({ 'tea.box': 'whole', 'glass.box': 'broken' }))
    writeFileSync(join(crates, name), seal)
  writeFileSync(join(folder, 'crane'), crane(crates), { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const scripts: Record<string, string> = collectors
  scripts.crates = cratesScript(crates)
  ;(resources as Resource[]).push(crate)
  const world = await createWorld()
  const agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { servers, agents } = world.server.container
  await vi.waitUntil(() => agents.connected(servers.all()[0]?.id ?? 0), 30_000)
  const serverId = servers.all()[0]!.id
  await (await world.login()).api('PATCH', `server/${serverId}`, { name: 'web-1' })
  const { close } = world
  return Object.assign(world, {
    serverId,
    async close() {
      await agent.stop()
      await close()
      ;(resources as Resource[]).pop()
      delete scripts.crates
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
