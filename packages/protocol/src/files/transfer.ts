import { filePieceBytes, markOf, parseAnswerFrame, parseDownloadHeader, parseFileError } from './frames.ts'

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
