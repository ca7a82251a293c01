import {
  createListing,
  markOf,
  parseAnswerFrame,
  parseFileError,
  toListRequest,
  toMoreRequest,
} from '@qd/protocol/files'
import type { Ports } from '../api/index.ts'
import type { ApiPort } from '../define/index.ts'
import { AppError, agentError, defined } from '../errors.ts'
import { createFileCalls } from './calls.ts'
import { type FileStream, openFileStream } from './stream.ts'
import { download, refusalOf, upload } from './transfers.ts'
import type { FileAbility, FileSession, FolderList } from './types.ts'
import { freeName } from './view/names.ts'
import { joinPath, lastName, normalPath, parentPath, resolvePath } from './view/paths.ts'

/** `baseUrl`: http or https origin of the server, perhaps with a path. */
export interface FileSessionOptions {
  server: number
  /** The run that awaits the outcome of an upload; this server’s part of it must be due. */
  run?: number
  api: ApiPort
  ports: Pick<Ports, 'openSocket' | 'setTimer'>
  baseUrl: string
  headers?(): Readonly<Record<string, string>>
}

const answerMs = 30_000
/** How long to wait for another piece after a full piece of a listing. */
const moreMs = 1000

/** Opens nothing before the first call (contract http-api 5.5, docs/reference/files.md). */
export function createFileSession({ server, run, api, ports, baseUrl, headers }: FileSessionOptions): FileSession {
  const calls = createFileCalls(api, server, run)
  const streams = new Set<FileStream>()
  let idle: FileStream | null = null
  let known: ReadonlySet<FileAbility> | null = null
  let isClosed = false

  const open = async (): Promise<FileStream> => {
    const { id, isOurs, abilities } = await calls.open()
    known = abilities
    const url = `${baseUrl.replace(/^http/, 'ws')}/api/v1/ws/file/${id}`
    const stream = openFileStream({ ports, url, headers: headers?.() ?? {}, isOurs })
    if (isClosed) stream.close()
    return stream
  }
  const release = (stream: FileStream, isClean: boolean) => {
    streams.delete(stream)
    if (isClean && stream.isOpen() && !idle?.isOpen() && !isClosed) idle = stream
    else stream.close()
  }
  /** Runs `work` on a stream of its own. `isClean`: nothing of it can still arrive, so the stream can be reused. */
  const on = async <Result>(
    signal: AbortSignal | undefined,
    work: (stream: FileStream) => Promise<Result>,
    isClean: (result: Result) => boolean = () => true,
  ): Promise<Result> => {
    if (isClosed || signal?.aborted) throw new AppError('cancelled')
    const waiting = idle?.isOpen() ? idle : null
    if (waiting) idle = null
    const stream = waiting ?? (await open())
    streams.add(stream)
    const stop = () => stream.close()
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    let clean = false
    try {
      const result = await work(stream)
      clean = isClean(result)
      return result
    } finally {
      signal?.removeEventListener('abort', stop)
      release(stream, clean)
    }
  }
  const demand = async (ability: FileAbility): Promise<void> => {
    if (!(await abilities()).has(ability)) throw new AppError('unsupported', { ability })
  }
  const abilities = async () => {
    if (known === null) release(await open(), true)
    return defined(known)
  }
  const answerTo = async (stream: FileStream, request: object): Promise<unknown> => {
    stream.send(toMoreRequest(request))
    for (;;) {
      const message = await soon(stream)
      const text = parseFileError(message)
      if (text !== undefined) throw agentError(text)
      if (markOf(message) === 'answer') return parseAnswerFrame(message)
    }
  }
  const list = (asked: string): Promise<FolderList> =>
    on(undefined, async (stream) => {
      const listing = createListing()
      stream.send(toListRequest(asked))
      for (let message: Uint8Array | undefined = await soon(stream); ; ) {
        let state = listing.push(message)
        while (state.kind === 'maybe') {
          message = await stream.next(moreMs)
          state = message ? listing.push(message) : { kind: 'done', listing: state.listing }
        }
        if (state.kind === 'error') throw refusalOf(asked, state.text)
        if (state.kind === 'done') {
          const path = normalPath(state.listing.path)
          return {
            path,
            entries: state.listing.names.map(({ name, isFolder }) => ({ name, kind: isFolder ? 'folder' : 'file' })),
            isElsewhere: asked !== '' && path !== normalPath(asked),
            isCut: state.listing.isCut,
          }
        }
        message = await soon(stream)
      }
    })
  const fromHome = async (path: string): Promise<string> =>
    /^~(?:[/\\]|$)/.test(path) ? resolvePath(path, { folder: '', home: (await list('')).path }) : path

  return {
    abilities,
    list: async (path) => list(await fromHome(path)),
    async details(path) {
      await demand('details')
      return calls.details(await fromHome(path))
    },
    async download(path, sink, { offset = 0, signal, onProgress } = {}) {
      const isOurs = (await abilities()).has('resume')
      if (offset > 0) await demand('resume')
      const whole = await fromHome(path)
      // Nezha’s agents keep reading while a file grows; the surplus would be taken for the next response.
      return on(
        signal,
        (stream) => download({ stream, path: whole, isOurs, onProgress }, sink, offset),
        () => isOurs,
      )
    },
    async upload(path, source, { conflict = 'replace', resume = false, signal, onProgress } = {}) {
      const isOurs = (await abilities()).has('resume')
      if (resume) await demand('resume')
      let whole = await fromHome(path)
      const folder = parentPath(whole)
      if (conflict !== 'replace' && folder !== null) {
        const { entries, isElsewhere } = await list(folder)
        const names = new Set(isElsewhere ? [] : entries.map(({ name }) => name))
        const name = lastName(whole)
        if (names.has(name) && conflict === 'fail') throw new AppError('fileExists', { name })
        if (names.has(name)) whole = joinPath(folder, freeName(name, names))
      }
      return on(signal, (stream) => upload({ stream, path: whole, isOurs, onProgress }, source, resume))
    },
    async readRange(path, range) {
      await demand(range.offset < 0 ? 'resume' : 'read')
      return calls.read(await fromHome(path), range)
    },
    async remove(path, { recursive = false } = {}) {
      await demand('delete')
      return calls.remove(await fromHome(path), recursive)
    },
    async makeFolder(path) {
      await demand('folders')
      const whole = await fromHome(path)
      await on(undefined, (stream) => answerTo(stream, { op: 'folder', path: whole }))
    },
    async rename(from, to) {
      await demand('rename')
      const [old, next] = [await fromHome(from), await fromHome(to)]
      await on(undefined, (stream) => answerTo(stream, { op: 'rename', path: old, to: next }))
    },
    async checksum(path, { signal } = {}) {
      await demand('checksum')
      if (signal?.aborted) throw new AppError('cancelled')
      return calls.checksum(await fromHome(path))
    },
    close() {
      isClosed = true
      for (const stream of [...streams, ...(idle ? [idle] : [])]) stream.close()
    },
  }
}

/** Errors: `fileStalled`. */
async function soon(stream: FileStream): Promise<Uint8Array> {
  const message = await stream.next(answerMs)
  if (message) return message
  throw new AppError('fileStalled', { path: '', seconds: answerMs / 1000 })
}
