import { readFileSync } from 'node:fs'
import {
  parseAttachFrame,
  parseTerminalFrame,
  toAttachFrame,
  toInputFrame,
  toResizeFrame,
} from '@qd/protocol/stream-frames'
import { expect, test } from 'vitest'
import { toCanonical } from '../support/canonical.ts'
import { isMessage, loadFixture, messageTypes } from '../support/peers/agent-fixtures.ts'
import { frame } from '../support/peers/h2-peer.ts'

type MessageName = keyof typeof messageTypes
interface MessageVector {
  name: string
  message: MessageName
  decoded: object
  hex: string
  framed?: string
}
interface FrameVector {
  name: string
  hex: string
  framed?: string
  streamId?: string
  resize?: { cols: number; rows: number }
  inputHex?: string
}
const vectors: { messages: MessageVector[]; frames: FrameVector[] } = JSON.parse(
  readFileSync(new URL('./agent-messages.json', import.meta.url), 'utf8'),
)

/** Decodes, compares and encodes again: from the bytes, and from the plain values that a test wrote down. */
const checkMessage = (name: MessageName, hex: string, decoded: object) => {
  const type = messageTypes[name]
  const bytes = Buffer.from(hex, 'hex')
  const value = type.decode(bytes)
  expect(toCanonical(value)).toEqual(decoded)
  expect(Buffer.from(encode(name, value)).toString('hex')).toBe(hex)
}

const encode = (name: MessageName, value: object): Uint8Array => messageTypes[name].encode(value as never).finish()

test.each(vectors.messages)('vector: $name', ({ message, hex, decoded, framed }) => {
  checkMessage(message, hex, decoded)
  if (framed) expect(frame(Buffer.from(hex, 'hex')).toString('hex')).toBe(framed)
})

test.each(vectors.frames)('vector: $name', ({ hex, framed, streamId, resize, inputHex }) => {
  const bytes = Buffer.from(hex, 'hex')
  if (streamId) {
    expect(parseAttachFrame(bytes)).toBe(streamId)
    expect(Buffer.from(toAttachFrame(streamId)).toString('hex')).toBe(hex)
  }
  if (resize) expect(parseTerminalFrame(bytes)).toEqual({ kind: 'resize', ...resize })
  if (inputHex) expect(Buffer.from(toInputFrame(Buffer.from(inputHex, 'hex'))).toString('hex')).toBe(hex)
  if (framed) expect(frame(encode('IOStreamData', { data: bytes })).toString('hex')).toBe(framed)
})

test.each(['connect', 'commands', 'reconnect', 'auth-and-errors', 'full-fields'])(
  'every message of the recording %s is decoded and encoded to the same bytes',
  (file) => {
    let checked = 0
    for (const { messages } of loadFixture(file).scenarios)
      for (const line of messages) {
        if (!isMessage(line) || line.hex === undefined || !line.message) continue
        const decoded = { ...line.decoded }
        if (line.message === 'IOStreamData') delete decoded.text
        checkMessage(line.message as MessageName, line.hex, decoded)
        checked += 1
      }
    expect(checked).toBeGreaterThan(5)
  },
)

interface Unit {
  stream: string
  name: string
  hex: string
  meaning: string
}

test('the recorded frames of a terminal are read as their notes say', () => {
  const units = loadFixture<{ units: Unit[] }>('framing').units.filter(({ stream }) => stream === 'terminal')
  for (const { name, hex, meaning } of units) {
    const bytes = Buffer.from(hex, 'hex')
    if (name === 'attach') expect(Buffer.from(toAttachFrame(parseAttachFrame(bytes))).toString('hex')).toBe(hex)
    if (name === 'input') expect(meaning).toBe(`PTY input ${JSON.stringify(bytes.subarray(1).toString())}`)
    if (name === 'input') expect(parseTerminalFrame(bytes)).toEqual({ kind: 'input', bytes: bytes.subarray(1) })
    if (name === 'ignored' || meaning.includes('ignored')) expect(parseTerminalFrame(bytes)).toBeUndefined()
    else if (name === 'resize') {
      expect(Buffer.from(toResizeFrame({ cols: 31, rows: 17 })).toString('hex')).toBe(hex)
      expect(parseTerminalFrame(bytes)).toEqual({ kind: 'resize', cols: 31, rows: 17 })
    }
  }
})

test('S-39 extreme and broken messages: largest numbers keep their value, broken bytes throw', () => {
  const largest = 2n ** 64n - 1n
  const state = messageTypes.State.create({ net_in_transfer: largest })
  expect(messageTypes.State.decode(encode('State', state)).net_in_transfer).toBe(largest)
  expect(() => messageTypes.Host.decode(Buffer.from('ffffff', 'hex'))).toThrow()
  expect(() => messageTypes.TaskResult.decode(Buffer.from('22ff', 'hex'))).toThrow()
})
