import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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
afterEach(async () => {
  await screen?.close()
  rmSync(join(folder, 'pid'), { force: true })
})
afterAll(() => {
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Installs a server that leaves its own ID, so that the test sees it end. */
function install(then = `exec '${process.execPath}' '${server}' "$@"`): void {
  const program = join(installed, 'quarterdeck')
  writeFileSync(program, `#!/bin/sh\necho $$ >${folder}/pid\n${then}\n`)
  chmodSync(program, 0o755)
}

const demo = (options: { inShell?: boolean; env?: Record<string, string> } = {}) => {
  screen = startScreen({
    ...{ qd: programs.qd, url: 'http://127.0.0.1:9', args: ['demo'], signedIn: false, columns: 100, ...options },
    env: { PATH: `${installed}:/usr/bin:/bin`, TMPDIR: temporary, ...options.env },
  })
  return screen
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const left = () => readdirSync(temporary).filter((name) => name.startsWith('qd-demo-'))

test('qd demo opens the terminal UI on a demo of the installed server, and leaves nothing', async () => {
  install()
  const editor = join(folder, 'editor.sh')
  writeFileSync(editor, '#!/bin/sh\ntrap "exit 1" INT\necho the editor\nwhile :; do sleep 0.1; done\n', { mode: 0o755 })
  const { press, shows, ended, isAlternate } = demo({ inShell: true, env: { EDITOR: editor } })
  await shows(/Demo[\s\S]*edge-gru-1/, 90_000)
  expect(left()).toHaveLength(1)
  // The shell gets the terminal, and back.
  await press('Ctrl+z')
  await shows('stopped')
  expect(isAlternate()).toBe(false)
  await press('Enter')
  await shows(/Demo[\s\S]*edge-gru-1/)
  // Ctrl+C in the editor ends the editor only.
  await press(':', ...'cron', 'Enter')
  await shows(/Tasks/)
  await press('e')
  await shows(/› edit/)
  await press('Tab', 'Enter')
  await shows('the editor')
  await press('Ctrl+c')
  await shows(/› edit[\s\S]*/)
  await press('Escape')
  await shows((rows) => !rows[0]!.includes('edit'))
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

test('a server that a wrapper started ends with it', async () => {
  install(`'${process.execPath}' '${server}' "$@" &\necho $! >${folder}/pid\nwait`)
  const { press, shows, ended } = demo()
  await shows(/Demo[\s\S]*edge-gru-1/, 90_000)
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  expect(isRunning(pid)).toBe(true)
  await press('q')
  expect(await ended).toMatchObject({ code: 0 })
  expect([isRunning(pid), left()]).toEqual([false, []])
  rmSync(join(installed, 'quarterdeck'))
})

test('a second Ctrl+C doesn’t wait for the server, and leaves nothing either', async () => {
  const asked = join(folder, 'asked')
  install(`trap 'echo >${asked}' TERM\nwhile :; do sleep 0.1; done`)
  const { shows, ended, send } = demo()
  await shows('Starting a demo')
  await vi.waitUntil(() => existsSync(join(folder, 'pid')), 30_000)
  send('\u0003')
  await vi.waitUntil(() => existsSync(asked), 30_000)
  send('\u0003')
  expect(await ended).toMatchObject({ code: 130 })
  expect(left()).toEqual([])
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await vi.waitUntil(() => !isRunning(pid), 30_000)
  rmSync(join(installed, 'quarterdeck'))
})

test('without the server it says what is missing', async () => {
  const { shows, ended } = demo()
  await shows('quarterdeck isn’t installed on this machine')
  expect(await ended).toMatchObject({ code: 2 })
  expect(left()).toEqual([])
})
