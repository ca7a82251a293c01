import { expect, test } from 'vitest'
import { createWorld } from '../../../../tests/support/core/shells.ts'
import { pasteBytes, readPaste } from './terminal.ts'

const text = (frames: readonly Uint8Array[]) => frames.map((frame) => Buffer.from(frame).toString('latin1'))
const sizes = (frames: readonly Uint8Array[]) => text(frames).filter((frame) => frame.startsWith('\u0001'))

test('a session is made by one call, then its socket is opened with our subprotocol', async () => {
  const { live, calls, last, seen } = createWorld()
  await live()
  expect(calls).toEqual([{ method: 'POST', path: 'terminal', body: { server_id: 7 }, changesNothing: true }])
  expect(last().url).toBe('wss://fleet/api/v1/ws/terminal/shell-1')
  expect(last().protocols).toEqual(['quarterdeck.terminal.v1'])
  expect(seen.states.map(({ status }) => status)).toEqual(['opening', 'live'])
})

test('an existing dashboard is offered no subprotocol', async () => {
  const { live, last } = createWorld({ capabilities: [] })
  await live()
  expect(last().protocols).toEqual([])
})

test('W-01 the size goes out when the socket opens and again at 1.5 s', async () => {
  const { live, last, pass } = createWorld()
  await live()
  expect(text(last().sent)).toEqual(['\u0001{"Rows":32,"Cols":92}'])
  await pass(1499)
  expect(last().sent).toHaveLength(1)
  await pass(1)
  expect(text(last().sent)).toEqual(['\u0001{"Rows":32,"Cols":92}', '\u0001{"Rows":32,"Cols":92}'])
})

test('W-02 a storm of resizes sends at most ten a second and the last one always; never below 2 x 2', async () => {
  const { live, last, pass, session } = createWorld()
  await live()
  await pass(2000)
  last().sent.length = 0
  for (let step = 0; step < 100; step++) {
    session.resize({ cols: 100 + step, rows: 20 })
    await pass(10)
  }
  await pass(100)
  const sent = sizes(last().sent)
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.length).toBeLessThanOrEqual(11)
  expect(sent.at(-1)).toContain('"Cols":199')
  session.resize({ cols: 0, rows: Number.NaN })
  await pass(100)
  expect(sizes(last().sent).at(-1)).toBe('\u0001{"Rows":2,"Cols":2}')
})

test('the same size is not sent again', async () => {
  const { live, last, pass, session } = createWorld()
  await live()
  await pass(2000)
  const before = last().sent.length
  session.resize({ cols: 92, rows: 32 })
  await pass(1000)
  expect(last().sent).toHaveLength(before)
})

test('keys go out as typed, and output comes in as bytes, a character split in two left alone', async () => {
  const { live, last, session, seen } = createWorld()
  await live()
  session.input('é\u0003')
  expect(last().sent.at(-1)).toEqual(Uint8Array.of(0, 0xc3, 0xa9, 3))
  last().message(Uint8Array.of(0xc3))
  last().message(Uint8Array.of(0xa9, 0xff))
  expect(seen.output).toEqual([0xc3, 0xa9, 0xff])
})

test('W-05 a paste of 512 KiB goes in pieces and whole; a larger one not at all', async () => {
  const { live, last, session } = createWorld()
  await live()
  last().sent.length = 0
  const most = readPaste('x'.repeat(512 * 1024), { bracketed: false })
  expect(session.paste(most, { bracketed: false })).toBe(true)
  expect(last().sent.length).toBeGreaterThan(1)
  expect(last().sent.every((frame) => frame[0] === 0 && frame.length <= 16 * 1024 + 1)).toBe(true)
  expect(last().sent.reduce((sum, frame) => sum + frame.length - 1, 0)).toBe(512 * 1024)
  last().sent.length = 0
  expect(session.paste(readPaste('x'.repeat(512 * 1024 + 1), { bracketed: false }), { bracketed: false })).toBe(false)
  expect(last().sent).toEqual([])
})

const sent = (text: string, bracketed: boolean) =>
  new TextDecoder().decode(pasteBytes(readPaste(text, { bracketed }), { bracketed }))

test('W-05 line ends of all systems become what Enter sends', () => {
  expect(readPaste('a\r\nb\nc\rd', { bracketed: true }).text).toBe('a\rb\rc\rd')
})

test('W-05 several lines ask only where the shell knows no bracketed paste', () => {
  expect(readPaste('one\ntwo', { bracketed: false })).toMatchObject({ runsLines: true, lines: 2 })
  expect(readPaste('one\n', { bracketed: false })).toMatchObject({ runsLines: true, lines: 1 })
  expect(readPaste('one', { bracketed: false })).toMatchObject({ runsLines: false, lines: 1 })
  expect(readPaste('one\ntwo', { bracketed: true })).toMatchObject({ runsLines: false })
})

test('W-05 the limit counts bytes, not characters', () => {
  expect(readPaste('é'.repeat(256 * 1024), { bracketed: false }).isTooLarge).toBe(false)
  expect(readPaste(`é${'é'.repeat(256 * 1024)}`, { bracketed: false }).isTooLarge).toBe(true)
})

test('W-05 a bracketed paste cannot be ended by its own text', () => {
  expect(sent('ls\u001b[201~rm', true)).toBe('\u001b[200~lsrm\u001b[201~')
  expect(sent('ls', false)).toBe('ls')
})
