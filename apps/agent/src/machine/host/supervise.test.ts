import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readNote } from './own-program.ts'
import { supervise } from './supervise.ts'

let folder: string
let program: string
let stop: AbortController
let log: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-supervise-'))
  program = join(folder, 'agent.mjs')
  stop = new AbortController()
  log = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that writes its name down when it starts, and then does something. */
const write = (path: string, name: string, then: string) =>
  writeFileSync(
    path,
    `import { appendFileSync, rmSync } from 'node:fs'
     appendFileSync(${JSON.stringify(join(folder, 'starts'))}, ${JSON.stringify(name)} + process.argv.slice(2).join() + ' ')
     const dropNote = () => rmSync(${JSON.stringify(`${program}.update`)}, { force: true })
     const wait = () => setInterval(() => {}, 1000)
     ${then}`,
  )
const starts = () => (existsSync(join(folder, 'starts')) ? readFileSync(join(folder, 'starts'), 'utf8') : '')
const start = (parts: { trialMs?: number } = {}) =>
  supervise({
    program,
    args: ['-x'],
    stop: stop.signal,
    log: (line) => log.push(line),
    pauseMs: 10,
    maxPauseMs: 40,
    trialMs: 60_000,
    goodbyeMs: 5000,
    ...parts,
  })
const onTrial = () => writeFileSync(`${program}.update`, '{"id":"7","from":"1","to":"2"}')
const see = (text: string) => expect.poll(starts).toContain(text)

test('a program that ends is started again with its arguments, until it is stopped', async () => {
  write(program, 'a', 'process.exit(1)')
  const ended = start()
  await see('a-x a-x a-x ')
  stop.abort()
  expect(await ended).toBe(0)
  expect(log[0]).toBe('the agent exited with code 1; restarting it in 0 s')
})

test('a mistake in the settings ends the supervision with the same code', async () => {
  write(program, 'a', 'process.exit(2)')
  expect(await start()).toBe(2)
  expect(starts()).toBe('a-x ')
})

test('stop ends the program first; one that does not listen is killed', async () => {
  write(program, 'a', `process.on('SIGTERM', () => {}); wait()`)
  const ended = supervise({
    program,
    args: [],
    stop: stop.signal,
    log: () => undefined,
    pauseMs: 10,
    maxPauseMs: 10,
    trialMs: 1,
    goodbyeMs: 50,
  })
  await see('a')
  stop.abort()
  expect(await ended).toBe(0)
})

test('a new program that ends at once is given up: the previous one runs, and why is written down', async () => {
  write(`${program}.previous`, 'old', 'wait()')
  write(program, 'new', 'process.exit(3)')
  onTrial()
  const ended = start()
  await see('new-x old-x ')
  expect(readNote(program)).toEqual({
    id: '7',
    from: '1',
    to: '2',
    failure: '2 exited with code 3; 1 is running again',
  })
  expect(existsSync(`${program}.previous`)).toBe(false)
  stop.abort()
  await ended
})

test('a new program that does not get connected in its time is given up', async () => {
  write(`${program}.previous`, 'old', 'wait()')
  write(program, 'new', 'wait()')
  onTrial()
  const ended = start({ trialMs: 1000 })
  await see('new-x old-x ')
  expect(readNote(program)?.failure).toBe('2 did not connect within 1 s; 1 is running again')
  stop.abort()
  await ended
})

test('a new program that got connected stays, also when it ends later', async () => {
  write(`${program}.previous`, 'old', 'wait()')
  write(program, 'new', 'dropNote(); process.exit(1)')
  onTrial()
  const ended = start()
  await see('new-x new-x ')
  expect(starts()).not.toContain('old')
  stop.abort()
  await ended
})

test('the code of an update starts the program again at once', async () => {
  write(
    program,
    'old',
    `import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[1], 'setInterval(() => {}, 1000)'); process.exit(75)`,
  )
  const ended = start()
  await see('old-x ')
  await expect.poll(() => readFileSync(program, 'utf8')).toBe('setInterval(() => {}, 1000)')
  stop.abort()
  await ended
  expect(log).toEqual([])
})

test('issue 36.2: a program that ends although a thread of it hangs is started again at once, with the code that it said', async () => {
  write(
    program,
    'old',
    `import { writeFileSync } from 'node:fs'; writeFileSync(process.argv[1], 'setInterval(() => {}, 1000)')
     process.on('SIGTERM', () => {}); process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
     process.send({ leaves: 75 }); wait()`,
  )
  const ended = start()
  await expect.poll(() => readFileSync(program, 'utf8')).toBe('setInterval(() => {}, 1000)')
  stop.abort()
  expect(await ended).toBe(0)
  expect(log).toEqual([])
})

test('the program has a channel to us, by which it learns that we are gone', async () => {
  write(program, 'a', `appendFileSync(${JSON.stringify(join(folder, 'starts'))}, String(process.connected)); wait()`)
  const ended = start()
  await see('true')
  stop.abort()
  await ended
})
