import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'

let programs: Programs
const scriptOf = (name: string) => join(dirname(programs.qd), `${name}.cjs`)

beforeAll(async () => {
  programs = await buildPrograms()
})
afterAll(() => programs.close())

const help = () => spawnSync(process.execPath, [programs.qd, 'server', '--help'], { encoding: 'utf8' })

test.each(['commands', 'ui'])('the build keeps what V8 made of the script %s', (name) => {
  const text = readFileSync(scriptOf(name), 'utf8')
  expect(text.match(/[^\0-\x7f]/g)).toBeNull()
  const kept = new Script(text, { cachedData: readFileSync(`${scriptOf(name)}.cache`) })
  expect(kept.cachedDataRejected).toBe(false)
})

test('commands run the same without it and with one of another V8', () => {
  const cache = `${scriptOf('commands')}.cache`
  const { stdout } = help()
  expect(stdout).toContain('force-update')

  writeFileSync(cache, 'of another V8')
  expect(help()).toMatchObject({ status: 0, stdout, stderr: '' })
  rmSync(cache)
  expect(help()).toMatchObject({ status: 0, stdout, stderr: '' })
  // One that nobody can read, root included.
  mkdirSync(cache)
  expect(help()).toMatchObject({ status: 0, stdout, stderr: '' })
})
