import { filePieceBytes, markOf, parseAnswerFrame, parseDownloadHeader, parseFileError } from './frames.ts'

/**
 * What a server announces besides list, download and upload when it opens a file session. `details`: size, time and mode of what is in a
 * folder; `read`: a part of a file; `delete`; `checksum`; `folders`: make a folder; `rename`; `resume`: both transfers go on where they broke
 * off, and an upload replaces a file in one step. Source: docs/use/files.md.
 */
export const fileAbilities = ['details', 'read', 'delete', 'checksum', 'folders', 'rename', 'resume'] as const

/** One of them. */
export type FileAbility = (typeof fileAbilities)[number]

/** The websocket subprotocol by which a client of ours asks for close codes on `/ws/file/{id}`. Source: docs/use/files.md. */
export const fileProtocol = 'quarterdeck.file.v1'

/** What a message means to a download. `size` is known from the header on; `grew`: more bytes came than it announced, which are not `data`. */
export type DownloadStep =
  | { kind: 'waiting' }
  | { kind: 'begun'; size: number; data: Uint8Array; isDone: boolean; grew: boolean }
  | { kind: 'data'; data: Uint8Array; isDone: boolean; grew: boolean }
  | { kind: 'error'; text: string }

/**
 * Follows a download, without any input or output. There is no end mark: bytes are counted against the header, and whatever is beyond is left
 * out. Agents send pieces of exactly 1 MiB and then what is left, so a message of just that length is data, also where it begins like an error;
 * any other that reads like an error is one. Source: agent contract 6.4, behaviour W-25.
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

/** What a message means to an upload. `ready`: our agent has made the file and has its first `offset` bytes already. */
export type UploadStep =
  | { kind: 'waiting' }
  | { kind: 'ready'; offset: number }
  | { kind: 'done'; sha256: string | null }
  | { kind: 'error'; text: string }

/** Follows an upload, without any input or output. Source: agent contract 6.5, docs/use/files.md. */
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

/** Bytes of a path that no system takes; a piece of a file that is as long can do no harm when it is read as a request. */
const tooLongForPath = 8 * 1024

/**
 * How many bytes of an upload go into the next message, of so many that are left. After an error an existing agent reads what is still on its
 * way as requests, and a short one that begins with 02 would create a file. So the last piece is never short unless it is the only one.
 * Source: agent contract 6.5.
 */
export const nextPieceBytes = (left: number): number => {
  const rest = left - filePieceBytes
  return rest > 0 && rest < tooLongForPath ? filePieceBytes - tooLongForPath : Math.min(left, filePieceBytes)
}
