import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { spawn } from '@lydell/node-pty'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let programs: Programs
let world: World
let agent: RealAgent
const folder = mkdtempSync(join(tmpdir(), 'qd-tty-'))

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  agent = startRealAgent({ program: programs.agent, port: world.port, secret: siteSecret, uuid: uuidOf(1), folder })
  const browser = await world.login()
  await vi.waitFor(async () => expect(await browser.api('GET', 'server')).toHaveLength(1), 30_000)
  await browser.api('PATCH', 'server/1', { name: 'web-1' })
  await browser.api('POST', 'cron', {
    name: 'hello',
    task_type: 1,
    command: 'sleep 1; echo hi',
    cover: 0,
    servers: [1],
  })
})

afterAll(async () => {
  await agent?.stop()
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A shell's prompt, whoever it is. */
const prompt = /[$#%] /
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs `qd` on a terminal of its own; each answer is typed when its question is there. */
function onTerminal(
  args: readonly string[],
  answers: readonly (readonly [question: string | RegExp, typed: string])[] = [],
  { columns = 80, ...more }: { columns?: number; EDITOR?: string } = {},
) {
  const env = {
    ...more,
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    QD_URL: world.origin,
  }
  const terminal = spawn(process.execPath, [programs.qd, ...args], { cols: columns, rows: 24, cwd: folder, env })
  let shown = ''
  let from = 0
  const waiting = [...answers]
  terminal.onData((text) => {
    shown += text
    const [next] = waiting
    if (!next || shown.slice(from).search(typeof next[0] === 'string' ? literal(next[0]) : next[0]) < 0) return
    waiting.shift()
    from = shown.length
    terminal.write(next[1])
  })
  return new Promise<{ shown: string; code: number }>((resolve) => {
    terminal.onExit(({ exitCode }) => setImmediate(() => resolve({ shown, code: exitCode })))
  })
}

test('C-04 the password is asked for and not shown; a wrong letter is taken back', async () => {
  const { shown, code } = await onTerminal(
    ['login'],
    [
      ['Username:', `${admin.username}\r`],
      ['Password:', `x\u007f${admin.password}\r`],
    ],
  )
  expect(code).toBe(0)
  expect(shown).toMatch(new RegExp(`Signed in to \\S+ as ${admin.username}`))
  expect(shown).not.toContain(admin.password)
})

test('C-08 the table fits the terminal, in colour', async () => {
  const { shown, code } = await onTerminal(['server', 'ls'], [], { columns: 60 })
  expect(code).toBe(0)
  const plain = shown.replace(/\u001b\[[\d;]*m/g, '')
  for (const line of plain.split('\r\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect(plain).toMatch(/NAME[\s\S]*web-1[\s\S]*1 of 1/)
  expect(shown).toContain('\u001b[')
})

test('C-13 issue 10.19: a run on few servers shows them, tells how it goes and what came of it, and asks nothing', async () => {
  const { shown, code } = await onTerminal(['cron', 'run', 'hello', '--wait'], [])
  expect(code).toBe(0)
  expect(shown).not.toContain('[y/N]')
  expect(shown).toMatch(
    /Only web-1[\s\S]*0 of 1[\s\S]*✓[\s\S]*web-1[\s\S]*exit 0[\s\S]*hi[\s\S]*1 success[\s\S]*qd run get 1/,
  )
})

test('issue 10.19: a command on one server asks nothing, what cannot be undone asks for one already', async () => {
  const exec = await onTerminal(['exec', 'web-1', '--', 'echo', 'up'], [])
  expect(exec).toMatchObject({ code: 0, shown: expect.stringMatching(/web-1[\s\S]*up/) })
  expect(exec.shown).not.toContain('[y/N]')
  const update = await onTerminal(['server', 'force-update', 'web-1'], [['[y/N]', '\r']])
  expect(update).toMatchObject({
    code: 1,
    shown: expect.stringMatching(/Force update: 1 of 1 online\. Continue\? \[y\/N\][\s\S]*Canceled; nothing was done/),
  })
})

test('issue 18: the exit status of a shell is the exit status of qd server shell', async () => {
  const { shown, code } = await onTerminal(['server', 'shell', 'web-1'], [[prompt, 'exit 3\r']])
  expect({ code, shown }).toMatchObject({ code: 3 })
})

test('C-18 no is the default', async () => {
  const { shown, code } = await onTerminal(['cron', 'delete', 'hello'], [['[y/N]', '\r']])
  expect(code).toBe(1)
  expect(shown).toMatch(/Delete hello\? \[y\/N\][\s\S]*Canceled; nothing was done/)
})

test('C-23 Ctrl+C at a question ends with 130', async () => {
  const { shown, code } = await onTerminal(['cron', 'delete', 'hello'], [['[y/N]', '\u0003']])
  expect(code).toBe(130)
  expect(shown).toContain('nothing was sent')
})

test('T-27 qd server shell hands the terminal over, with its true size at the first prompt, and gives it back', async () => {
  const { shown, code } = await onTerminal(
    ['server', 'shell', 'web-1'],
    [
      [prompt, 'stty size; echo "ended: $((40 + 2))"\r'],
      ['ended: 42', 'exit\r'],
    ],
  )
  expect(code).toBe(0)
  expect(shown).toMatch(/24 80[\s\S]*ended: 42/)
})

test('T-27 Enter ~ . leaves a shell that does not end', async () => {
  const { shown, code } = await onTerminal(
    ['server', 'shell', 'web-1'],
    [
      [prompt, 'echo begun; sleep 100\r'],
      [/begun\r/, '\r~.'],
    ],
  )
  expect(code).toBe(0)
  expect(shown).toContain('Left the shell on web-1')
})

test('N-07 the configuration of an agent is changed in an editor; what differs is sent, and seen before with --dry-run', async () => {
  const EDITOR = 'sed -i s/"gpu":.false/"gpu":true/'
  const dry = await onTerminal(['server', 'config', 'web-1', '--edit', '--dry-run'], [], { EDITOR })
  expect(dry.shown).toContain('"config":"{\\"gpu\\":true}"')
  const sent = await onTerminal(['server', 'config', 'web-1', '--edit'], [], { EDITOR })
  expect(sent).toMatchObject({ code: 0, shown: expect.stringMatching(/Only web-1[\s\S]*qd run get/) })
  const same = await onTerminal(['server', 'config', 'web-1', '--edit'], [], { EDITOR: 'true' })
  expect(same.code).toBe(2)
})

test('a shell on a server that is not connected: one sentence, and the terminal is given back', async () => {
  const away = await world.agent({ uuid: uuidOf(2) })
  const browser = await world.login()
  await browser.api('PATCH', 'server/2', { name: 'db-1' })
  await away.close()
  await vi.waitFor(() => expect(world.server.container.agents.connected(2)).toBe(false), 30_000)
  const { shown, code } = await onTerminal(['server', 'shell', 'db-1'])
  expect(code).toBe(1)
  expect(stripVTControlCharacters(shown).split(/\s*\r?\n\s*/)).toEqual([
    expect.stringMatching(/^error: db-1: Offline\. Last seen /),
    'The server does not exist or has not been connected yet',
    '',
  ])
})
