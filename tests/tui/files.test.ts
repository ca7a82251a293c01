import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let world: World
let agent: Agent
let screen: Screen | undefined
const home = mkdtempSync(join(tmpdir(), 'qd-files-home-'))
const there = mkdtempSync(join(tmpdir(), 'qd-files-'))
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
})
afterAll(async () => {
  await screen?.close()
  await agent?.stop()
  await world?.close()
  programs?.close()
  for (const folder of [home, there]) rmSync(folder, { recursive: true, force: true })
})

/** Opens the terminal UI anew in a folder of the server. */
async function openFolder(path: string, env: Record<string, string> = {}): Promise<Screen> {
  await screen?.close()
  const opened = startScreen({ qd: programs.qd, url: world.origin, home, columns: 110, rows: 30, env })
  await opened.shows(/▌ [●▲] \w/)
  await opened.press('f')
  await opened.shows('g Go to')
  await opened.press('g')
  await opened.shows('starting with ~')
  opened.send(path)
  await opened.press('Enter')
  return opened
}

test('W-31: the files of a server by the keys of the web: into a folder, a look, down here, up there', async () => {
  mkdirSync(join(there, 'logs'))
  writeFileSync(join(there, 'logs', 'web-10.log'), randomBytes(2 * 1024 * 1024))
  writeFileSync(join(there, 'logs', 'web-2.log'), 'first line\nlast line\n')
  writeFileSync(join(home, 'up.bin'), randomBytes(300_000))
  screen = await openFolder(there)
  await screen.shows('logs/')
  await screen.press('f', 'l', 'x', 'Enter')
  await screen.shows('No names match “lx”')
  await screen.press('Escape', 'f', 'l', 'o', 'Enter')
  const listed = await screen.shows('web-10.log')
  expect(listed.indexOf('web-2.log')).toBeLessThan(listed.indexOf('web-10.log'))

  await screen.press('Space')
  await screen.shows('last line')
  await screen.press('F')
  appendFileSync(join(there, 'logs', 'web-2.log'), 'what came later\n')
  await screen.shows('what came later')
  await screen.press('Escape', 'End', 'd')
  await screen.shows('Save to')
  await screen.press('\u0015')
  screen.send(join(home, 'down.log'))
  await screen.press('Enter')
  await screen.shows('Transfers')
  expect(sha256(join(home, 'down.log'))).toBe(sha256(join(there, 'logs', 'web-10.log')))

  await screen.press('u')
  await screen.shows('File or folder to upload')
  screen.send(join(home, 'up.bin'))
  await screen.press('Enter')
  await screen.shows(/✓ up\.bin .*SHA-256/)
  expect(sha256(join(there, 'logs', 'up.bin'))).toBe(sha256(join(home, 'up.bin')))

  // W-24: the path of a file, typed as a name, leads to its folder and that file.
  await screen.press('Escape', 'f')
  screen.send(join(there, 'logs', 'web-10.log'))
  await screen.shows('Press Enter to go to')
  await screen.press('Enter')
  await screen.shows(/▌.*web-10\.log/)
  await screen.press('Escape', 'Escape')
  await screen.shows(/Servers/)
})

test('W-28: a transfer that failed is tried again by its key, which stands in the hints and in the keys sheet', async () => {
  mkdirSync(join(there, 'again'))
  writeFileSync(join(there, 'again', 'a.log'), 'all of it\n')
  screen = await openFolder(join(there, 'again'))
  await screen.shows('a.log')
  expect(screen.text()).not.toContain('T Retry')
  // There is nothing to try again, and nothing is said about the agent.
  await screen.press('T', 'K', 'd')
  expect(await screen.shows('Save to')).not.toContain('server’s agent')
  await screen.press('\u0015')
  screen.send(join(home, 'later', 'a.log'))
  await screen.press('Enter')
  await screen.shows(/✗ a\.log/)
  await screen.shows('T Retry')
  await screen.press('?')
  await screen.shows(/ T +Retry failed/)
  await screen.press('Escape')
  mkdirSync(join(home, 'later'))
  await screen.press('T')
  await screen.shows(/✓ a\.log/)
  expect(readFileSync(join(home, 'later', 'a.log'), 'utf8')).toBe('all of it\n')
  expect(screen.text()).not.toContain('T Retry')
})

test('a folder goes down and up with all that is in it; a new folder, a new name, a text through $EDITOR, a deletion', async () => {
  const work = join(there, 'work')
  mkdirSync(join(work, 'site', 'css'), { recursive: true })
  writeFileSync(join(work, 'site', 'index.html'), 'hello')
  writeFileSync(join(work, 'site', 'css', 'a.css'), 'body')
  writeFileSync(join(work, 'zz.conf'), 'a: 1\n    indented: yes\n')
  const editor = join(home, 'editor.sh')
  writeFileSync(editor, '#!/bin/sh\nprintf "b: 2\\n" >> "$1"\n', { mode: 0o755 })
  screen = await openFolder(work, { EDITOR: editor })
  await screen.shows('zz.conf')

  await screen.press('d')
  await screen.shows('Save to')
  await screen.press('\u0015')
  screen.send(join(home, 'site'))
  await screen.press('Enter')
  await screen.shows(/Transfers.*2 of 2/)
  expect(readFileSync(join(home, 'site', 'css', 'a.css'), 'utf8')).toBe('body')
  expect(readFileSync(join(home, 'site', 'index.html'), 'utf8')).toBe('hello')

  // The name is taken: a folder replaces nothing, and is kept beside the other.
  await screen.press('u')
  await screen.shows('File or folder to upload')
  screen.send(join(home, 'site'))
  await screen.press('Enter')
  await screen.shows(/already exists/)
  await screen.press('ArrowDown', 'Enter')
  await screen.shows('site (2)/')
  await expect.poll(() => existsSync(join(work, 'site (2)', 'css', 'a.css'))).toBe(true)

  await screen.press('End', 'Space')
  await screen.shows(/^ {5}indented: yes/m)
  await screen.press('Escape', 'e')
  await screen.shows('Saved zz.conf')
  expect(readFileSync(join(work, 'zz.conf'), 'utf8')).toBe('a: 1\n    indented: yes\nb: 2\n')

  await screen.press('n')
  await screen.shows('New folder')
  await screen.press(...'made', 'Enter')
  await screen.shows('made/')
  await screen.press('r')
  await screen.shows('Rename made')
  await screen.press('\u0015', ...'other', 'Enter')
  await screen.shows('other/')
  expect(existsSync(join(work, 'other'))).toBe(true)
  await screen.press('\u001b[3~')
  await screen.shows('Delete other?')
  await screen.press('Tab', 'Enter')
  await screen.shows((rows) => !rows.some((row) => row.includes('other/')))
  expect(existsSync(join(work, 'other'))).toBe(false)
  await screen.press('g')
  await screen.shows('history')
  await screen.press('ArrowUp')
  await screen.shows(new RegExp(`› ${work}`))
})
