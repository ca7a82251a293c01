import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProtocolError, toBytes } from './bytes.ts'
import {
  createDownload,
  createListing,
  createUpload,
  type DownloadStep,
  filePieceBytes,
  fromPathBytes,
  type ListingState,
  markOf,
  maxTransferBytes,
  nextPieceBytes,
  parseFileError,
  parseFileRequest,
  parseTransferMessage,
  toAnswerFrame,
  toDownloadHeader,
  toDownloadRequest,
  toFileError,
  toListingFrame,
  toListRequest,
  toMoreRequest,
  toPathBytes,
  toUploadRequest,
  uploadedFrame,
} from './files.ts'

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const ascii = (text: string) => toBytes(text)
/** Any bytes that may be the name of a file. */
const nameBytes = fc
  .uint8Array({ minLength: 1, maxLength: 255 })
  .filter((bytes) => !bytes.includes(0) && !bytes.includes(47) && !['.', '..'].includes(fromPathBytes(bytes)))

describe('requests', () => {
  test('the vectors of the contract', () => {
    expect(hex(toListRequest('wire-list'))).toBe('00776972652d6c697374')
    expect(hex(toUploadRequest('x', 4))).toBe('02000000000000000478')
    expect(hex(toDownloadHeader(4))).toBe('4e5a54440000000000000004')
    expect(hex(toFileError('boom'))).toBe('4e455252626f6f6d')
    expect(hex(uploadedFrame)).toBe('4e5a5550')
    expect(
      hex(
        toListingFrame('wire-list', [
          { name: 'a', isFolder: false },
          { name: 'd', isFolder: true },
        ]),
      ),
    ).toBe('4e5a464e00000009776972652d6c697374000161010164')
  })
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(nameBytes, fc.maxSafeNat(), fc.jsonValue(), (bytes, size, request) => {
        const path = fromPathBytes(bytes)
        expect(parseFileRequest(toListRequest(path))).toEqual({ kind: 'list', path })
        expect(parseFileRequest(toDownloadRequest(path))).toEqual({ kind: 'download', path })
        expect(parseFileRequest(toUploadRequest(path, size))).toEqual({ kind: 'upload', path, size })
        const plain = JSON.parse(JSON.stringify({ request })) as object
        expect(parseFileRequest(toMoreRequest(plain))).toEqual({ kind: 'more', request: plain })
      }),
    )
  })
  test('keepalives and unknown opcodes are ignored, a short upload header is not', () => {
    expect(parseFileRequest(new Uint8Array())).toBeUndefined()
    expect(parseFileRequest(Uint8Array.of(4, 1))).toBeUndefined()
    expect(() => parseFileRequest(Uint8Array.of(2, 0, 0))).toThrow('truncated')
    expect(() => parseFileRequest(fromHex('02ffffffffffffffff78'))).toThrow('out-of-range')
  })
})

test('W-21: names that are no UTF-8 survive as text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(toPathBytes(fromPathBytes(bytes))).toEqual(bytes)
    }),
  )
  expect(fromPathBytes(Uint8Array.of(97, 0xff, 0xc3, 0xbc))).toBe('a\udcffü')
  expect(hex(toPathBytes('🙂'))).toBe('f09f9982')
})

describe('a listing', () => {
  const names = fc.uniqueArray(fc.record({ bytes: nameBytes, isFolder: fc.boolean() }), {
    selector: ({ bytes }) => hex(bytes),
    maxLength: 30,
  })
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(nameBytes, names, (path, list) => {
        const entries = list.map(({ bytes, isFolder }) => ({ name: fromPathBytes(bytes), isFolder }))
        const state = createListing().push(toListingFrame(fromPathBytes(path), entries))
        expect(state).toEqual({ kind: 'done', listing: { path: fromPathBytes(path), names: entries, isCut: false } })
      }),
    )
  })
  test('above 1 MiB comes in pieces of 1 MiB of which only the first has the mark', () => {
    const entries = Array.from({ length: 50_000 }, (_, at) => ({
      name: `file ${at} ${'x'.repeat(at % 70)}`,
      isFolder: false,
    }))
    const bytes = toListingFrame('/big', entries)
    const listing = createListing()
    const states: ListingState[] = []
    for (let at = 0; at < bytes.length; at += filePieceBytes)
      states.push(listing.push(bytes.subarray(at, at + filePieceBytes)))
    expect(states.map(({ kind }) => kind)).toEqual(['maybe', 'maybe', 'done'])
    expect(states.at(-1)).toEqual({ kind: 'done', listing: { path: '/big', names: entries, isCut: false } })
  })
  test('a name above 255 bytes is not sent, and one that came so cuts the list without an error', () => {
    const long = { name: 'x'.repeat(256), isFolder: false }
    const kept = { name: 'kept', isFolder: true }
    const state = createListing().push(toListingFrame('/', [kept, long]))
    expect(state).toMatchObject({ kind: 'done', listing: { names: [kept] } })
    // As existing agents send it: the length modulo 256.
    const torn = toBytes(toListingFrame('/', [kept]), { u8: 0 }, { u8: 5 }, ascii('ab'))
    expect(createListing().push(torn)).toEqual({ kind: 'done', listing: { path: '/', names: [kept], isCut: true } })
  })
  test('names that would lead elsewhere are left out', () => {
    const evil = ['..', '.', '', 'a/b', 'a\0b'].map((name) => ({ name, isFolder: true }))
    expect(createListing().push(toListingFrame('/', evil))).toMatchObject({ kind: 'done', listing: { names: [] } })
  })
  test('what is left of something else is passed over, an error is told', () => {
    const listing = createListing()
    expect(listing.push(ascii('rest of a file'))).toEqual({ kind: 'waiting' })
    expect(listing.push(uploadedFrame)).toEqual({ kind: 'waiting' })
    expect(listing.push(toFileError('user: unknown userid 4242'))).toEqual({
      kind: 'error',
      text: 'user: unknown userid 4242',
    })
  })
  test('no bytes make it throw', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void createListing().push(toBytes('NZFN', bytes))))
  })
})

/** What a download makes of these messages. */
const follow = (messages: readonly Uint8Array[]) => {
  const download = createDownload()
  const steps: DownloadStep[] = messages.map((message) => download.push(message))
  const data = steps.flatMap((step) => ('data' in step ? [...step.data] : []))
  const last = steps.at(-1)
  return { data: Uint8Array.from(data), last, isDone: steps.some((step) => 'isDone' in step && step.isDone) }
}

describe('a download', () => {
  test('is the file, wherever its messages are cut, also in the header’s own message', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.array(fc.nat(300)),
        fc.boolean(),
        (file, cuts, glued) => {
          // What begins like an error where no whole piece begins is one; the test after the next looks at that.
          const places = [...new Set([0, ...cuts.filter((at) => at < file.length), file.length])].sort((a, b) => a - b)
          const pieces = places.slice(1).map((end, at) => file.subarray(places[at], end))
          fc.pre(pieces.every((piece) => markOf(piece) !== 'error'))
          const header = toDownloadHeader(file.length)
          const messages = glued ? [toBytes(header, pieces[0]!), ...pieces.slice(1)] : [header, ...pieces]
          const { data, isDone } = follow(messages)
          expect(data).toEqual(file)
          expect(isDone).toBe(true)
        },
      ),
    )
  })
  test('trap: a chunk that begins with the error marker is data when it is just as long as the next chunk must be', () => {
    const file = ascii('NERRthis is a file')
    expect(follow([toDownloadHeader(file.length), file])).toMatchObject({ data: file, isDone: true })
    const big = new Uint8Array(filePieceBytes)
    big.set(ascii('NERR'))
    const download = createDownload()
    download.push(toDownloadHeader(filePieceBytes + 3))
    expect(download.push(big)).toMatchObject({ kind: 'data', isDone: false })
    expect(download.push(ascii('end'))).toMatchObject({ kind: 'data', isDone: true })
  })
  test('trap: binary data that begins like an error is data', () => {
    const piece = toBytes('NERR', Uint8Array.of(0, 1, 2))
    expect(follow([toDownloadHeader(100), piece]).data).toEqual(piece)
    expect(parseFileError(toBytes('NERR', new Uint8Array(5000).fill(65)))).toBeUndefined()
  })
  test('a folder gives a header and then an error', () => {
    expect(follow([toDownloadHeader(4096), toFileError('read /x: is a directory')]).last).toEqual({
      kind: 'error',
      text: 'read /x: is a directory',
    })
    expect(follow([toDownloadHeader(40), toFileError('read /srv/demo/sub: is a directory')]).last).toMatchObject({
      kind: 'error',
    })
  })
  test('a missing or empty file is an error without a header', () => {
    expect(follow([toFileError('requested file is empty')]).last).toEqual({
      kind: 'error',
      text: 'requested file is empty',
    })
  })
  test('trap: a file that grows is done at its announced size, and what is beyond is left out', () => {
    const { data, last, isDone } = follow([toDownloadHeader(4), ascii('12'), ascii('3456')])
    expect(data).toEqual(ascii('1234'))
    expect(last).toMatchObject({ isDone: true, grew: true })
    expect(isDone).toBe(true)
  })
  test('trap: a file that shrinks is not done', () => {
    expect(follow([toDownloadHeader(4), ascii('12')]).isDone).toBe(false)
  })
  test('a header of no bytes is done at once', () => {
    expect(follow([toDownloadHeader(0)])).toMatchObject({ isDone: true })
  })
})

describe('an upload', () => {
  test('every byte is sent once, and no piece but an only one is short enough for a path', () => {
    fc.assert(
      fc.property(fc.nat(5 * filePieceBytes), (size) => {
        const pieces: number[] = []
        for (let left = size; left > 0; left -= pieces.at(-1)!) pieces.push(nextPieceBytes(left))
        expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(size)
        expect(pieces.every((piece) => piece <= filePieceBytes && (pieces.length === 1 || piece > 4096))).toBe(true)
      }),
    )
  })
  test('is done at the mark, with a checksum from our agents', () => {
    const upload = createUpload()
    expect(upload.push(ascii('something'))).toEqual({ kind: 'waiting' })
    expect(upload.push(toAnswerFrame({ offset: 12 }))).toEqual({ kind: 'ready', offset: 12 })
    expect(upload.push(toAnswerFrame({ sha256: 'ab', size: 12 }))).toEqual({ kind: 'done', sha256: 'ab' })
    expect(upload.push(uploadedFrame)).toEqual({ kind: 'done', sha256: null })
    expect(upload.push(toFileError('open /x/y: permission denied'))).toEqual({
      kind: 'error',
      text: 'open /x/y: permission denied',
    })
  })
})

const zeros = new Uint8Array(32)

test('each message of task 20 is read (agent contract 11)', () => {
  expect(parseTransferMessage(toBytes('NZTU', { u64: 7n }))).toEqual({ kind: 'ready', size: 7 })
  expect(parseTransferMessage(toBytes('NZTD', { u64: 7n }, zeros))).toEqual({ kind: 'begin', size: 7 })
  expect(parseTransferMessage(toBytes('NZTC', { u64: 2n }, Uint8Array.of(1, 2)))).toEqual({
    kind: 'data',
    bytes: Uint8Array.of(1, 2),
  })
  expect(parseTransferMessage(toBytes('NZTO', { u64: 7n }, zeros))).toEqual({ kind: 'done', size: 7, sha256: null })
  expect(parseTransferMessage(toBytes('NZTO', { u64: 7n }, zeros.with(31, 10)))).toEqual({
    kind: 'done',
    size: 7,
    sha256: `${'00'.repeat(31)}0a`,
  })
  expect(parseTransferMessage(toBytes('NZTE', 'sha256 mismatch'))).toEqual({ kind: 'error', text: 'sha256 mismatch' })
})

test.each([
  ['a piece of no bytes', toBytes('NZTC', { u64: 0n })],
  ['a piece that is shorter than it says', toBytes('NZTC', { u64: 3n }, Uint8Array.of(1))],
  ['more bytes than a file may have', toBytes('NZTD', { u64: BigInt(maxTransferBytes + 1) }, zeros)],
  ['another mark', toBytes('NZFN', { u64: 1n })],
  ['a checksum that is cut', toBytes('NZTO', { u64: 1n }, Uint8Array.of(1))],
])('%s is refused', (_, bytes) => {
  expect(() => parseTransferMessage(bytes)).toThrow(ProtocolError)
})

test('whatever comes is read or refused, and nothing else happens', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('NZTU', 'NZTD', 'NZTC', 'NZTO', 'NZTE', 'x'),
      fc.uint8Array({ maxLength: 60 }),
      (mark, rest) => {
        try {
          parseTransferMessage(toBytes(mark, rest))
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      },
    ),
  )
})
