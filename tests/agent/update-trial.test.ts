import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const installer = readFileSync(new URL('../../apps/server/install/install.sh', import.meta.url), 'utf8')
const script = /<<'TRIAL'\n(.*?)\nTRIAL\n/s.exec(installer)![1]!
let folder: string
let program: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-update-trial-'))
  program = join(folder, 'agent.mjs')
  writeFileSync(program, 'new')
  writeFileSync(`${program}.previous`, 'old')
  writeFileSync(`${program}.update`, '{"from":"0.0.8","to":"0.0.9"}')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** As systemd calls it after the agent has ended. */
const stopped = (env: Record<string, string>) =>
  execFileSync('sh', ['-c', script, 'update-trial.sh', 'stopped', program], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: 'pipe',
  })

test('systemd before 232 doesn’t say how the agent ended: its exit for the update keeps the new version', () => {
  stopped({})
  expect([readFileSync(program, 'utf8'), existsSync(`${program}.previous`)]).toEqual(['new', true])
})

test('there too, a version whose trial failed is taken back', () => {
  writeFileSync(`${program}.failed`, '')
  stopped({})
  expect(readFileSync(program, 'utf8')).toBe('old')
  expect(readFileSync(`${program}.update`, 'utf8')).toContain('"failure":"0.0.9 exited; 0.0.8 is running again"')
})

test('a version that crashes is taken back', () => {
  stopped({ EXIT_CODE: 'exited', EXIT_STATUS: '3' })
  expect(readFileSync(program, 'utf8')).toBe('old')
})
