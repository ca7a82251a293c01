import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openFiles } from '../support/file-session.ts'
import { buildHungMount, quoted, type Secluded, startSecluded } from '../support/hosts/namespace.ts'
import { buildAgent, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let world: World
let browser: Browser
let programs: Pick<Programs, 'agent' | 'close'>
let folder: string
let dead: string
let agent: Secluded | undefined
let hungPid: number | undefined

beforeAll(async () => {
  programs = await buildAgent()
  world = await createWorld()
  browser = await world.login()
  folder = mkdtempSync(join(tmpdir(), 'qd-hung-'))
  dead = join(folder, 'dead')
  mkdirSync(dead)
  const config = {
    server: `127.0.0.1:${world.port}`,
    client_secret: siteSecret,
    uuid: uuidOf(1),
    hard_drive_partition_allowlist: ['/', dead],
  }
  writeFileSync(join(folder, 'agent.json'), JSON.stringify(config))
  const hung = buildHungMount(folder)
  agent = startSecluded(
    [
      `${quoted(hung)} ${quoted(dead)} > ${quoted(join(folder, 'said'))} & echo $! > ${quoted(join(folder, 'pid'))}`,
      `until [ -s ${quoted(join(folder, 'said'))} ]; do sleep 0.05; done`,
    ],
    [process.execPath, programs.agent, '--config', join(folder, 'agent.json')],
    { cwd: folder },
  )
  await vi.waitFor(() => expect(readText(join(folder, 'pid'))).toMatch(/\d/), 30_000)
  hungPid = Number(readText(join(folder, 'pid')))
})
afterAll(async () => {
  if (hungPid) process.kill(hungPid, 'SIGKILL')
  agent?.process.kill('SIGKILL')
  await agent?.ended
  await world.close()
  programs.close()
  rmSync(folder, { recursive: true, force: true })
})

const readText = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const live = () => world.server.container.live
const serverId = () => world.server.container.servers.all()[0]?.id ?? 0
const host = () => live().hostOf(serverId())
const isFailure = { code: 'failed', params: { text: expect.stringMatching('doesn’t respond') } }

/** States of the agent’s threads; D is a call that the kernel doesn’t come back from. */
const waitingThreads = (): number => {
  const tasks = `/proc/${agent!.process.pid}/task`
  return readdirSync(tasks).filter((task) => /\) D /.test(readText(`${tasks}/${task}/stat`))).length
}

/** So many reports come after this. */
const seeReports = async (count: number) => {
  for (let seen = 0; seen < count; seen += 1) {
    const before = live().lastActive(serverId())
    await expect.poll(() => live().lastActive(serverId())).not.toBe(before)
  }
}

test('issue 36.2: a mount that hangs is told, costs no thread, and all other figures go on', async () => {
  await expect.poll(() => host().silent_disks, { timeout: 60_000 }).toEqual([dead])
  const root = statfsSync('/')
  expect(host().disk_total).toBe(root.bsize * root.blocks)
  await seeReports(5)
  expect(waitingThreads()).toBe(0)
  const [row] = (await browser.api('GET', 'server')) as { host: { silent_disks: string[] } }[]
  expect(row!.host.silent_disks).toEqual([dead])
  const guest = (await world.guest().api('GET', 'service')) as unknown
  expect(JSON.stringify(guest)).not.toContain(dead)
})

test('issue 36.2: the file manager says that it doesn’t respond, however often it is asked, and goes on elsewhere', async () => {
  for (let times = 0; times < 6; times += 1) {
    const files = openFiles(world, browser, serverId())
    await expect(files.list(dead)).rejects.toMatchObject(isFailure)
    await expect(files.list(`${dead}/sub/folder`)).rejects.toMatchObject(isFailure)
    files.close()
  }
  const files = openFiles(world, browser, serverId())
  expect((await files.list(folder)).entries.map(({ name }) => name)).toContain('agent.json')
  files.close()
  expect(waitingThreads()).toBe(0)
})

test('issue 36.2: a link that leads there is not followed', async () => {
  symlinkSync(dead, join(folder, 'link'))
  symlinkSync('link/sub', join(folder, 'linked'))
  const files = openFiles(world, browser, serverId())
  for (const link of ['link', 'linked', 'link/sub'])
    await expect(files.list(join(folder, link))).rejects.toMatchObject(isFailure)
  expect((await files.list(folder)).entries.map(({ name }) => name)).toContain('link')
  expect((await files.details(folder)).entries).toContainEqual(expect.objectContaining({ name: 'link', kind: 'link' }))
  files.close()
  expect(waitingThreads()).toBe(0)
  await seeReports(2)
})

test('issue 36.2: when the mount responds again, its space counts again', async () => {
  process.kill(hungPid!, 'SIGUSR1')
  await expect.poll(() => host().silent_disks, { timeout: 60_000 }).toBeUndefined()
  const root = statfsSync('/')
  await expect.poll(() => host().disk_total, { timeout: 60_000 }).toBe(root.bsize * root.blocks + 4_096_000)
})
