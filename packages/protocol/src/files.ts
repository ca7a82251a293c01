import { concat, createReader, ProtocolError, toBytes, toText } from './bytes.ts'

/**
 * Paths and names are bytes. As text they are UTF-8; an invalid byte becomes a lone surrogate, U+DC80 for 80 to U+DCFF for ff, so that
 * `toPathBytes` restores it exactly. Never show such a text without `shownName`.
 */
export const fromPathBytes = (bytes: Uint8Array): string => {
  try {
    return toText(bytes)
  } catch {
    return byByte(bytes)
  }
}

export const toPathBytes = (path: string): Uint8Array => {
  if (!escapedByte.test(path)) return toBytes(path)
  const parts = path.split(escapedByte)
  return Uint8Array.from(
    parts.flatMap((part, index) => (index % 2 === 0 ? [...toBytes(part)] : [part.charCodeAt(0) - 0xdc00])),
  )
}

/** A lone low surrogate, not the second half of a pair. */
const escapedByte = /(?<![\ud800-\udbff])([\udc80-\udcff])/

/** Takes the longest valid piece each time. */
const byByte = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(at, at + size)))
    text += length ? toText(bytes.subarray(at, at + length)) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    at += length ?? 1
  }
  return text
}

const isCharacter = (bytes: Uint8Array): boolean => {
  try {
    toText(bytes)
    return bytes.length > 0
  } catch {
    return false
  }
}

/** The first bytes of an agent’s messages. Source: agent contract 6.1; `answer` is ours (docs/reference/files.md). */
export const fileMarks = { listing: 'NZFN', download: 'NZTD', error: 'NERR', uploaded: 'NZUP', answer: 'NZQD' } as const

/** Bytes of the largest piece of a file in one message. Source: agent contract 6.4. */
export const filePieceBytes = 1024 * 1024

/** A longer message that begins like an error is data. */
const maxErrorBytes = 4096

/** A request to an agent; only ours know `more`. */
export type FileRequest =
  | { kind: 'list'; path: string }
  | { kind: 'download'; path: string }
  | { kind: 'upload'; path: string; size: number }
  | { kind: 'more'; request: unknown }

/** An empty path is the home folder of the agent’s user. Source: agent contract 6.2, as the next two. */
export const toListRequest = (path: string): Uint8Array => toBytes({ u8: 0 }, toPathBytes(path))

export const toDownloadRequest = (path: string): Uint8Array => toBytes({ u8: 1 }, toPathBytes(path))

/** Announces an upload of `size` bytes, which follow in messages of any size. Errors: `out-of-range`. */
export const toUploadRequest = (path: string, size: number): Uint8Array =>
  toBytes({ u8: 2 }, { u64: BigInt(size) }, toPathBytes(path))

/** A JSON request that only our agents know. Source: docs/reference/files.md. */
export const toMoreRequest = (request: object): Uint8Array => toBytes({ u8: 3 }, JSON.stringify(request))

/** Returns undefined for what agents ignore (keepalive, unknown opcode). Errors: `truncated`, `out-of-range` for a size beyond 2^53, `not-utf8`, `SyntaxError`. */
export const parseFileRequest = (bytes: Uint8Array): FileRequest | undefined => {
  if (bytes.length === 0) return undefined
  const reader = createReader(bytes)
  const opcode = reader.u8()
  if (opcode === 0) return { kind: 'list', path: fromPathBytes(reader.rest()) }
  if (opcode === 1) return { kind: 'download', path: fromPathBytes(reader.rest()) }
  if (opcode === 2) return { kind: 'upload', size: toSize(reader.u64()), path: fromPathBytes(reader.rest()) }
  return opcode === 3 ? { kind: 'more', request: JSON.parse(reader.text()) as unknown } : undefined
}

/** The header before the bytes of a file. Source: agent contract 6.4. */
export const toDownloadHeader = (size: number): Uint8Array => toBytes(fileMarks.download, { u64: BigInt(size) })

export const toFileError = (text: string): Uint8Array => toBytes(fileMarks.error, text)

export const uploadedFrame = toBytes(fileMarks.uploaded)

export const toAnswerFrame = (answer: object): Uint8Array => toBytes(fileMarks.answer, JSON.stringify(answer))

/** The mark that a message begins with; undefined for data. */
export const markOf = (bytes: Uint8Array): keyof typeof fileMarks | undefined =>
  marks.find(({ first }) => bytes.length >= 4 && first.every((byte, index) => byte === bytes[index]))?.name

/** The announced size, and the data behind the header in the same message. Errors: `truncated`, `out-of-range`. */
export const parseDownloadHeader = (bytes: Uint8Array): { size: number; data: Uint8Array } => {
  const reader = createReader(bytes.subarray(4))
  return { size: toSize(reader.u64()), data: reader.rest() }
}

/** Errors: `not-utf8`, `SyntaxError`. */
export const parseAnswerFrame = (bytes: Uint8Array): unknown => JSON.parse(toText(bytes.subarray(4)))

/** The text of an error; undefined if the message is data that only begins like one. */
export const parseFileError = (bytes: Uint8Array): string | undefined => {
  if (markOf(bytes) !== 'error' || bytes.length > maxErrorBytes) return undefined
  try {
    const text = toText(bytes.subarray(4))
    return isSentence.test(text) ? text.trimEnd() : undefined
  } catch {
    return undefined
  }
}

const marks = Object.entries(fileMarks).map(([name, mark]) => ({
  name: name as keyof typeof fileMarks,
  first: toBytes(mark),
}))
/** Error texts are sentences; binary data that begins like one soon has control characters. */
const isSentence = /^[^\p{Cc}]*$/u

const toSize = (size: bigint): number => {
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new ProtocolError('out-of-range', `a file of ${size} bytes`)
  return Number(size)
}

/** A link to a folder counts as a file. */
export interface ListedName {
  name: string
  isFolder: boolean
}

/** A response to a list request. `path` is the folder that the agent listed, perhaps not the requested one. */
export interface Listing {
  path: string
  names: readonly ListedName[]
  /** Whether the bytes ended inside a name. */
  isCut: boolean
}

/** `maybe`: complete unless another message follows at once. */
export type ListingState =
  | { kind: 'waiting' }
  | { kind: 'maybe'; listing: Listing }
  | { kind: 'done'; listing: Listing }
  | { kind: 'error'; text: string }

/**
 * Assembles a listing from messages in order. A server cuts a listing above 1 MiB into pieces of exactly 1 MiB, and only the first has the mark,
 * so a full piece may be followed by another. Earlier messages without the mark are skipped. Source: contract http-api 5.5.
 */
export const createListing = (): { push(message: Uint8Array): ListingState } => {
  const parts: Uint8Array[] = []
  return {
    push(message) {
      if (parts.length === 0 && markOf(message) !== 'listing') {
        const text = parseFileError(message)
        return text === undefined ? { kind: 'waiting' } : { kind: 'error', text }
      }
      parts.push(message)
      const isFull = message.length > 0 && message.length % filePieceBytes === 0
      const listing = parseListing(concat(parts))
      return isFull ? { kind: 'maybe', listing } : { kind: 'done', listing }
    },
  }
}

/** Never throws: a listing that ends too early is cut. */
const parseListing = (bytes: Uint8Array): Listing => {
  const reader = createReader(bytes.subarray(4))
  const names: ListedName[] = []
  let path = ''
  try {
    path = fromPathBytes(reader.take(reader.u32()))
    while (reader.left > 0) {
      const isFolder = reader.u8() === 1
      const name = fromPathBytes(reader.take(reader.u8()))
      if (isOneName(name)) names.push({ name, isFolder })
    }
    return { path, names, isCut: false }
  } catch {
    return { path, names, isCut: true }
  }
}

/** Whether a name stays in its folder. */
const isOneName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name)

/** Leaves out names above 255 bytes, which don’t fit. Source: agent contract 6.3. */
export const toListingFrame = (path: string, names: readonly ListedName[]): Uint8Array => {
  const where = toPathBytes(path)
  const parts = [toBytes(fileMarks.listing, { u32: where.length }, where)]
  for (const { name, isFolder } of names) {
    const bytes = toPathBytes(name)
    if (bytes.length <= 255) parts.push(Uint8Array.of(isFolder ? 1 : 0, bytes.length), bytes)
  }
  // Not `toBytes`: a call can’t take 100,000 arguments.
  return concat(parts)
}

/**
 * What a server announces besides list, download and upload. `details`: sizes, times and modes of a folder’s entries. `resume`: transfers
 * continue after an interruption, and an upload replaces a file atomically. Source: docs/reference/files.md.
 */
export const fileAbilities = ['details', 'read', 'delete', 'checksum', 'folders', 'rename', 'resume'] as const

export type FileAbility = (typeof fileAbilities)[number]

/** The websocket subprotocol by which our clients ask for close codes on `/ws/file/{id}`. Source: docs/reference/files.md. */
export const fileProtocol = 'quarterdeck.file.v1'

/** `grew`: more bytes came than announced; they aren’t part of `data`. */
export type DownloadStep =
  | { kind: 'waiting' }
  | { kind: 'begun'; size: number; data: Uint8Array; isDone: boolean; grew: boolean }
  | { kind: 'data'; data: Uint8Array; isDone: boolean; grew: boolean }
  | { kind: 'error'; text: string }

/**
 * Parses a download. There is no end mark: bytes are counted against the header, and more are dropped. Agents send pieces of exactly 1 MiB and
 * then the rest, so a message of just that length is data even if it begins like an error. Source: agent contract 6.4, behavior W-25.
 */
export const createDownload = (): { push(message: Uint8Array): DownloadStep } => {
  let left: number | undefined
  const take = (bytes: Uint8Array) => {
    const data = bytes.subarray(0, left)
    left = (left ?? 0) - data.length
    return { data, isDone: left === 0, grew: data.length < bytes.length }
  }
  return {
    push(message) {
      const isWholePiece = left !== undefined && message.length === Math.min(filePieceBytes, left)
      const text = isWholePiece ? undefined : parseFileError(message)
      if (text !== undefined) return { kind: 'error', text }
      if (left !== undefined) return { kind: 'data', ...take(message) }
      if (markOf(message) !== 'download') return { kind: 'waiting' }
      const { size, data } = parseDownloadHeader(message)
      left = size
      return { kind: 'begun', size, ...take(data) }
    },
  }
}

/** `ready`: our agent created the file and already has its first `offset` bytes. */
export type UploadStep =
  | { kind: 'waiting' }
  | { kind: 'ready'; offset: number }
  | { kind: 'done'; sha256: string | null }
  | { kind: 'error'; text: string }

/** Parses the agent’s side of an upload. Source: agent contract 6.5, docs/reference/files.md. */
export const createUpload = (): { push(message: Uint8Array): UploadStep } => ({
  push(message) {
    const text = parseFileError(message)
    if (text !== undefined) return { kind: 'error', text }
    const mark = markOf(message)
    if (mark === 'uploaded') return { kind: 'done', sha256: null }
    if (mark !== 'answer') return { kind: 'waiting' }
    const { offset, sha256 } = parseAnswerFrame(message) as { offset?: number; sha256?: string }
    return sha256 === undefined ? { kind: 'ready', offset: offset ?? 0 } : { kind: 'done', sha256 }
  },
})

/** Bytes of a path that no system accepts: a piece this long is harmless if an agent reads it as a request. */
const tooLongForPath = 8 * 1024

/**
 * Bytes of an upload’s next message. After an error, agents of Nezha read the remaining pieces as requests, and a short one that begins with 02
 * would create a file. So the last piece is never short unless it is the only one. Source: agent contract 6.5.
 */
export const nextPieceBytes = (left: number): number => {
  const rest = left - filePieceBytes
  return rest > 0 && rest < tooLongForPath ? filePieceBytes - tooLongForPath : Math.min(left, filePieceBytes)
}

/** Bytes of the largest file of task 20, both ways. Source: agent contract 11, as the rest of this file. */
export const maxTransferBytes = 100 * 1024 * 1024

/** `sha256` in hex; null if the agent leaves it out (all zeros). */
export type TransferMessage =
  | { kind: 'ready'; size: number }
  | { kind: 'begin'; size: number }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'done'; size: number; sha256: string | null }
  | { kind: 'error'; text: string }

/** Errors: `bad-magic` for another message, `truncated`, `out-of-range` for a size or piece that is too large or empty. */
export const parseTransferMessage = (message: Uint8Array): TransferMessage => {
  const reader = createReader(message)
  const mark = String.fromCharCode(...reader.take(4))
  const size = () => {
    const value = reader.u64()
    if (value > BigInt(maxTransferBytes)) throw new ProtocolError('out-of-range', `a file of ${value} bytes`)
    return Number(value)
  }
  if (mark === 'NZTU') return { kind: 'ready', size: size() }
  if (mark === 'NZTD') return { kind: 'begin', size: size() }
  if (mark === 'NZTE') return { kind: 'error', text: toText(reader.rest()) }
  if (mark === 'NZTC') {
    const length = size()
    if (length === 0 || length > filePieceBytes || length !== reader.left)
      throw new ProtocolError('out-of-range', `a piece of ${length} bytes in ${reader.left}`)
    return { kind: 'data', bytes: reader.rest() }
  }
  if (mark === 'NZTO') {
    const total = size()
    const hash = [...reader.take(32)]
    const sha256 = hash.some((byte) => byte !== 0)
      ? hash.map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : null
    return { kind: 'done', size: total, sha256 }
  }
  throw new ProtocolError('bad-magic', 'a message of no transfer')
}
