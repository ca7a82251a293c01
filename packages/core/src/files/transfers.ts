import {
  createDownload,
  createUpload,
  filePieceBytes,
  markOf,
  nextPieceBytes,
  parseAnswerFrame,
  toDownloadRequest,
  toMoreRequest,
  toUploadRequest,
} from '@qd/protocol/files'
import { AppError, agentError, toAppError } from '../errors.ts'
import type { FileStream } from './stream.ts'
import type { Downloaded, FileSink, FileSource, TransferOptions, TransferProgress, Uploaded } from './types.ts'

/** Time without a byte until a transfer is reported as stalled (behavior N-14), and until it is given up. */
const stalledMs = 15_000
const givenUpMs = 60_000
/** How long an agent of Nezha has to refuse a file before its bytes are sent. Source: agent contract 6.5. */
const refusalMs = 300
/** Bytes that may wait in the socket (behavior W-26: under 8 MiB). */
const maxUnsent = 4 * 1024 * 1024
/** Downloads are requested in portions because a browser can’t hold a socket back. */
const portionBytes = 16 * 1024 * 1024
/** How agents of Nezha report an empty file. Source: agent contract 6.4. */
const emptyText = 'requested file is empty'

/** `isOurs`: the agent has the ability `resume`. */
export interface Transfer {
  stream: FileStream
  path: string
  isOurs: boolean
  onProgress: TransferOptions['onProgress']
}

/** Waits for the next message and reports stalls. Errors: `fileStalled`. */
async function patiently(transfer: Transfer, { done, total }: Omit<TransferProgress, 'stalled'>): Promise<Uint8Array> {
  for (let waited = 0; waited < givenUpMs; waited += stalledMs) {
    const message = await transfer.stream.next(stalledMs)
    if (message) return message
    transfer.onProgress?.({ done, total, stalled: true })
  }
  throw new AppError('fileStalled', { path: transfer.path, seconds: givenUpMs / 1000 })
}

export async function download(transfer: Transfer, sink: FileSink, offset: number): Promise<Downloaded> {
  let done = offset
  let total = 0
  let grew = false
  let isBegun = false
  const begin = async (size: number) => {
    if (isBegun) return
    isBegun = true
    total = size
    await sink.begin?.(size)
  }
  do {
    const portion = await takePortion(transfer, { sink, begin, offset: done, tell: (at) => tell(at) })
    done += portion.bytes
    grew ||= portion.grew || (portion.total !== null && portion.total > total)
    if (done < total && portion.bytes === 0) throw new AppError('fileShrank', { path: transfer.path, done, total })
  } while (done < total)
  return { size: total, grew }

  function tell(at: number) {
    transfer.onProgress?.({ done: at, total, stalled: false })
  }
}

interface Portion {
  sink: FileSink
  offset: number
  begin(size: number): Promise<void>
  tell(done: number): void
}

/** Downloads the whole file, or one portion from our agent. `total`: the file’s size as our agent reports it now. */
async function takePortion(transfer: Transfer, { sink, offset, begin, tell }: Portion) {
  const { stream, path, isOurs } = transfer
  stream.send(isOurs ? toMoreRequest({ op: 'download', path, offset, length: portionBytes }) : toDownloadRequest(path))
  const machine = createDownload()
  let bytes = 0
  let total: number | null = null
  for (;;) {
    const message = await patiently(transfer, { done: offset + bytes, total: total ?? 0 })
    if (isOurs && total === null && markOf(message) === 'answer') {
      total = Number((parseAnswerFrame(message) as { size: number }).size)
      await begin(total)
      continue
    }
    const step = machine.push(message)
    if (step.kind === 'waiting') continue
    if (step.kind === 'error') {
      if (step.text !== emptyText) throw refusalOf(path, step.text)
      await begin(0)
      return { bytes, total, grew: false }
    }
    if (step.kind === 'begun') {
      total ??= step.size
      await begin(total)
    }
    if (step.data.length > 0) await sink.write(step.data)
    bytes += step.data.length
    tell(offset + bytes)
    if (step.isDone) return { bytes, total, grew: step.grew }
  }
}

/** How POSIX and Windows say that a path doesn’t exist. */
const nothingThere = /no such file or directory$|the system cannot find the (?:file|path) specified\.?$/i

/** An agent’s error about a path: `notFound` if nothing is there, else `failed` with its text. */
export function refusalOf(path: string, text: string): AppError {
  return nothingThere.test(text) ? new AppError('notFound', { path }) : agentError(text, { path })
}

/** Errors: those of `FileSession`. */
export async function upload(transfer: Transfer, source: FileSource, resume: boolean): Promise<Uploaded> {
  const { stream, path, isOurs, onProgress } = transfer
  const { size } = source
  const machine = createUpload()
  let sent = 0
  let hasBegun = false
  const refuse = (text: string): never => {
    throw agentError(text, { path })
  }
  const listen = (message: Uint8Array | undefined) => {
    const step = message ? machine.push(message) : { kind: 'waiting' as const }
    return step.kind === 'error' ? refuse(step.text) : step
  }
  const send = async () => {
    if (isOurs) {
      stream.send(toMoreRequest({ op: 'upload', path, size, resume }))
      for (let step = listen(undefined); step.kind !== 'ready'; ) {
        step = listen(await patiently(transfer, { done: 0, total: size }))
        if (step.kind === 'ready') sent = step.offset
      }
    } else {
      stream.send(toUploadRequest(path, size))
      hasBegun = true
      const step = listen(await stream.next(refusalMs))
      if (step.kind === 'done') return step
    }
    while (sent < size) {
      const piece = await source.read(
        sent,
        isOurs ? Math.min(filePieceBytes, size - sent) : nextPieceBytes(size - sent),
      )
      if (piece.length === 0) throw new AppError('fileShrank', { path, done: sent, total: size })
      listen(stream.taken())
      stream.send(piece)
      sent += piece.length
      await room()
    }
    for (;;) {
      const step = listen(await patiently(transfer, { done: sent - stream.buffered(), total: size }))
      if (step.kind === 'done') return step
    }
  }
  const room = async () => {
    let silent = 0
    let before = Number.POSITIVE_INFINITY
    for (;;) {
      const unsent = stream.buffered()
      silent = unsent < before ? 0 : silent + roomMs
      before = unsent
      onProgress?.({ done: sent - unsent, total: size, stalled: silent >= stalledMs })
      if (silent >= givenUpMs) throw new AppError('fileStalled', { path, seconds: givenUpMs / 1000 })
      if (unsent < maxUnsent) return
      listen(await stream.next(roomMs))
    }
  }
  try {
    const { sha256 } = await send()
    onProgress?.({ done: size, total: size, stalled: false })
    return { path, size, sha256 }
  } catch (thrown) {
    const error = toAppError(thrown)
    // Our agent replaces a file only when it is complete; all others empty the old one first.
    if (isOurs || !hasBegun || (sent === 0 && error.code === 'failed')) throw error
    const text = typeof error.params.text === 'string' ? error.params.text : ''
    throw new AppError('fileIncomplete', { path, done: sent, total: size, text }, { cause: error })
  }
}

const roomMs = 20
