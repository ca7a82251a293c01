import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'

let programs: Programs
let script: string

beforeAll(async () => {
  programs = await buildPrograms()
  script = join(dirname(programs.qd), 'commands.cjs')
})
afterAll(() => programs.close())

const help = () => spawnSync(process.execPath, [programs.qd, 'server', '--help'], { encoding: 'utf8' })

test('the build keeps what V8 made of the commands; they run the same without it and with one of another V8', () => {
  const cache = `${script}.cache`
  const text = readFileSync(script, 'utf8')
  expect(text.match(/[^\0-\x7f]/g)).toBeNull()
  const kept = new Script(text, { cachedData: readFileSync(cache) })
  expect(kept.cachedDataRejected).toBe(false)
  const { stdout } = help()
  expect(stdout).toContain('force-update')

  writeFileSync(cache, 'of another V8')
  expect(help()).toMatchObject({ status: 0, stdout, stderr: '' })
  rmSync(cache)
  expect(help()).toMatchObject({ status: 0, stdout, stderr: '' })
})
