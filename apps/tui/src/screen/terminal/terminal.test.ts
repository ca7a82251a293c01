import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { KeyEvent } from './keys.ts'
import { createTerminal } from './terminal.ts'

const chordsOf = (events: readonly KeyEvent[]) => events.flatMap((event) => (event.type === 'key' ? event.chord : []))
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
/** Waits until it holds; the test’s own limit ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settled()
}

function createDesk() {
  const typed = new PassThrough()
  const stdin = Object.assign(typed, { setRawMode: () => undefined }) as unknown as NodeJS.ReadStream
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream
  stdout.resume()
  const timers = new Set<() => void>()
  const terminal = createTerminal(
    { stdin, stdout, stop: () => undefined, soon: (run) => void setImmediate(run) },
    (run) => {
      timers.add(run)
      return () => timers.delete(run)
    },
    { mouse: false, linear: false },
  )
  const pressed: KeyEvent[] = []
  let frames = 0
  terminal.onKey((event) => void pressed.push(event))
  terminal.onKeysApplied(() => {
    frames += 1
  })
  terminal.take()
  return {
    terminal,
    pressed,
    frames: () => frames,
    type: (text: string) => void typed.write(text),
    pass() {
      for (const run of [...timers]) {
        timers.delete(run)
        run()
      }
    },
  }
}

test('issue 36.25 ninety keys that come together share one frame', async () => {
  const desk = createDesk()
  desk.type('x'.repeat(90))
  await until(() => desk.frames() > 0)
  expect(desk.pressed).toHaveLength(90)
  expect(desk.frames()).toBe(1)
})

test('issue 36.23 what a key leads to is there before the next key of the burst is read', async () => {
  const desk = createDesk()
  let front = 'list'
  const taken: string[] = []
  desk.terminal.onKey((event) => {
    taken.push(`${chordsOf([event])[0]} ${front}`)
    if (chordsOf([event])[0] === 'D')
      void Promise.resolve().then(() => Promise.resolve().then(() => (front = 'question')))
  })
  desk.type('Dy')
  await until(() => taken.length === 2)
  expect(taken).toEqual(['D list', 'y question'])
})

test('issue 36.23 keys wait for what is on its way; Escape gives it up and drops them, Ctrl+C as well', async () => {
  const desk = createDesk()
  const hold = desk.terminal.hold()
  desk.type('ab')
  await settled()
  expect(desk.pressed).toEqual([])
  hold.release({ keep: true })
  await until(() => desk.pressed.length === 2)
  expect(chordsOf(desk.pressed)).toEqual(['a', 'b'])

  const never = desk.terminal.hold()
  desk.type('cd')
  await settled()
  never.release({ keep: false })
  await settled()
  expect(desk.pressed).toHaveLength(2)

  const slow = desk.terminal.hold()
  desk.type('e')
  desk.type('\u001b')
  await settled()
  expect(slow.isGivenUp).toBe(false)
  desk.pass()
  expect(slow.isGivenUp).toBe(true)
  desk.type('f')
  await until(() => desk.pressed.length === 3)
  expect(chordsOf(desk.pressed)).toEqual(['a', 'b', 'f'])

  const interrupted = desk.terminal.hold()
  desk.type('g\u0003')
  await until(() => desk.pressed.length === 4)
  expect(interrupted.isGivenUp).toBe(true)
  expect(chordsOf(desk.pressed)).toEqual(['a', 'b', 'f', 'Ctrl+c'])
})

test('issue 36.23 what was typed for a borrower goes to it, never to us', async () => {
  const desk = createDesk()
  let given = ''
  desk.terminal.onKey((event) => {
    if (chordsOf([event])[0] !== 't') return
    void desk.terminal.lend(async ({ typed }) => {
      given = typed
    })
  })
  desk.type('tls ü\r')
  await until(() => given !== '')
  expect(Buffer.from(given, 'latin1').toString()).toBe('ls ü\r')
  desk.type('j')
  await until(() => desk.pressed.length === 2)
  expect(chordsOf(desk.pressed)).toEqual(['t', 'j'])
})
