import { createReader, ProtocolError, toBytes, toText } from '../bytes.ts'
import { fromPathBytes, toPathBytes } from './names.ts'

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
