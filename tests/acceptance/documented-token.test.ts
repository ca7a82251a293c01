import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

const page = readFileSync(new URL('../../docs/automate/scripts.md', import.meta.url), 'utf8')
/** The lines of the shell example below a heading, without their remarks. */
const linesBelow = (heading: string) =>
  /```sh\n(.*?)```/s
    .exec(page.split(`## ${heading}\n`)[1]!)![1]!
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''))
const scopes = /--scopes (\S+)/.exec(page)![1]!.split(',')

const folder = mkdtempSync(join(tmpdir(), 'qd-token-'))
let programs: Programs
let world: World
let owner: Browser

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  await world.agent({ uuid: uuidOf(1), onCommand: () => ({ data: 'ready', successful: true, delay: 0.1 }) })
  owner = await world.login()
  writeFileSync(join(folder, 'setup.sh'), 'true\n')
  await owner.api('PATCH', 'server/1', { name: 'web-1' })
  await owner.api('POST', 'server-group', { name: 'web', servers: [1] })
})
afterAll(async () => {
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function shell(command: string, token: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', QD_CONFIG: join(folder, 'config.json') }
  const qd = `qd() { '${process.execPath}' '${programs.qd}' "$@"; }`
  const child = spawn('bash', ['-c', `${qd}\n${command}`], {
    cwd: folder,
    env: { ...env, QD_URL: world.origin, QD_TOKEN: token },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}
const runs = async () => ((await owner.api('GET', 'run')) as { value?: unknown[] }).value?.length ?? 0

test('issue 10.21 the token of docs/automate/scripts.md is enough for what the page does with it, and each command runs once', async () => {
  const { token } = await createScript(world, owner, { scopes })
  const lines = [
    ...linesBelow('Signing in without a password').filter((line) => /qd server ls/.test(line)),
    'qd whoami',
    ...linesBelow('A command on many servers'),
  ].map((line) => line.replace(/^QD_URL.*(?=qd )/, ''))
  expect(lines.filter((line) => line.startsWith('qd exec')).length).toBeGreaterThanOrEqual(3)
  for (const line of lines) {
    const before = await runs()
    const ended = await shell(line, token)
    expect([line, ended.code, ended.stderr.includes('error')]).toEqual([line, 0, false])
    expect((await runs()) - before).toBe(line.startsWith('qd exec') ? 1 : 0)
  }
})

test.each([
  ['qd exec web-1 -- true', ['nezha:inventory:read', 'nezha:server:exec'], 'nezha:cron:read'],
  ['qd server config web-1 --gpu yes --wait', ['nezha:inventory:read', 'nezha:server:write'], 'nezha:cron:read'],
  ['qd server force-update web-1 --yes --wait', ['nezha:inventory:read', 'nezha:server:write'], 'nezha:cron:read'],
  ['qd exec web-1 -- true', ['nezha:inventory:read', 'nezha:cron:read'], 'nezha:server:exec'],
  ['qd exec web-1 -- true', ['nezha:server:exec', 'nezha:cron:read'], 'nezha:inventory:read'],
])(
  'issue 10.21 %s with %j is refused before anything is sent, by the name of the scope',
  async (line, given, missing) => {
    const { token } = await createScript(world, owner, { scopes: given })
    const before = await runs()
    const ended = await shell(line, token)
    expect(ended).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(missing) })
    expect(await runs()).toBe(before)
  },
)

test('issue 10.21 who may write but not read is told what was done, and does it once', async () => {
  const { token } = await createScript(world, owner, {
    scopes: ['nezha:inventory:read', 'nezha:server:exec', 'nezha:cron:write'],
  })
  const sent = await shell('qd exec web-1 --no-wait -- true', token)
  expect(sent).toMatchObject({ code: 0, stderr: expect.stringMatching(/Sent\. To check progress: qd run get \d+/) })
  const flags = "--name sweep --command true --scheduler '0 0 3 * * *' --servers web-1"
  const created = await shell(`qd cron create ${flags}`, token)
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) })
  expect(((await owner.api('GET', 'cron')) as unknown[]).length).toBe(1)
})
