import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, type Programs, serverProgram } from '../support/programs.ts'
import { type Screen, startScreen } from './screen.ts'

/** With a folder for temporary files of its own, and one for the command of the server. */
const folder = mkdtempSync(join(tmpdir(), 'qd-demo-test-'))
const temporary = join(folder, 'tmp')
const installed = join(folder, 'bin')
let programs: Programs
let server: string
let screen: Screen

beforeAll(async () => {
  for (const one of [temporary, installed]) mkdirSync(one)
  programs = await buildPrograms()
  server = await serverProgram()
}, 60_000)
afterEach(() => screen?.close())
afterAll(() => {
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

function install(): void {
  const program = join(installed, 'quarterdeck')
  // Leaves its own id, so that the test sees it end.
  writeFileSync(program, `#!/bin/sh\necho $$ >${folder}/pid\nexec '${process.execPath}' '${server}' "$@"\n`)
  chmodSync(program, 0o755)
}

const demo = () => {
  screen = startScreen({
    ...{ qd: programs.qd, url: 'http://127.0.0.1:9', args: ['demo'], signedIn: false, columns: 100 },
    env: { PATH: `${installed}:/usr/bin:/bin`, TMPDIR: temporary },
  })
  return screen
}

const left = () => readdirSync(temporary).filter((name) => name.startsWith('qd-demo-'))

test('qd demo opens the terminal UI on a demo of the installed server, and leaves nothing', async () => {
  install()
  const { press, shows, ended } = demo()
  await shows(/Demo[\s\S]*edge-gru-1/, 90_000)
  expect(left()).toHaveLength(1)
  await press('q')
  expect(await ended).toMatchObject({ code: 0 })
  expect(left()).toEqual([])
  rmSync(join(installed, 'quarterdeck'))
})

test('Ctrl+C while the demo is made ends the server too', async () => {
  install()
  const { shows, ended, send } = demo()
  await shows('Starting a demo')
  await vi.waitUntil(() => existsSync(join(folder, 'pid')), 30_000)
  send('\u0003')
  expect(await ended).toMatchObject({ code: 130 })
  expect(left()).toEqual([])
  rmSync(join(installed, 'quarterdeck'))
})

test('without the server it says what is missing', async () => {
  const { shows, ended } = demo()
  await shows('quarterdeck isn’t installed on this machine')
  expect(await ended).toMatchObject({ code: 2 })
  expect(left()).toEqual([])
})
