import type { Machine } from '../machine.ts'
import type { MachineFiles, OpenedFile } from './machine-files.ts'
import { demandContent } from './source.ts'
import { codeOf, Refusal } from './words.ts'

/** A file that arrives. */
export interface Receiver {
  /** Bytes that are there already, where an earlier try is gone on with. */
  readonly offset: number
  add(bytes: Uint8Array): Promise<void>
  /** Puts the file in its place in one step; answers its SHA-256. */
  finish(): Promise<Uint8Array>
  /** Lets it be. What came of a large file stays for `resume`. */
  stop(): Promise<void>
}

/** What a receiver is told about its file. */
export interface ReceiverOptions {
  size: number
  resume: boolean
  /** What is there stays for a later `resume`. */
  keeps: boolean
  /** Permission bits; else those of the file that is replaced, or the system's. */
  mode?: number | undefined
}

/** A part of a file below this is not worth going on with. */
const leastKept = 8 * 1024 * 1024
const portion = 1024 * 1024
/** Names of parts that somebody is writing, with what tells when they are let go. */
const busy = new Map<string, Promise<void>>()
/** A connection that broke lets its part go only when the agent has heard of it. */
const letGoMs = 5_000

/**
 * Receives a file beside its place and renames it when all of it is there, so that nobody ever sees half of it. A link stays: what it leads to is
 * replaced. Where nothing can be made beside it, and for devices, the file itself is written. Errors: the system's.
 */
export const createReceiver = async (
  { fileSystem: files, sleep }: Pick<Machine, 'fileSystem' | 'sleep'>,
  path: string,
  options: ReceiverOptions,
): Promise<Receiver> => {
  const target = await files.realPath(path).catch(() => path)
  const before = await files.status(target).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (before?.kind === 'dir') throw Object.assign(new Error(), { code: 'EISDIR' })
  // To write to one waits for a reader, which may never come.
  if (before?.special === 'named pipe (FIFO)' || before?.special === 'socket') demandContent(before)
  const part = partOf(target, options.size, files.separator)
  const letGo = await reserve(part, sleep)
  const isPlain = before === undefined || before.kind === 'file'
  const hash = files.checksum()
  let beside: OpenedFile | undefined
  let opened: OpenedFile | undefined
  let at = 0
  try {
    // Who may not write a file must not get around that by way of its folder.
    if (before && isPlain) await (await files.open(target, 'keep')).close()
    beside = isPlain ? await openPart(files, part, options, before !== undefined) : undefined
    opened = beside ?? (await files.open(target, 'replace'))
    if (beside && options.resume) at = await hashPart(beside, hash, options.size)
    await beside?.cut(at)
  } catch (error) {
    await opened?.close()
    letGo()
    throw error
  }
  const file = opened
  return {
    offset: at,
    async add(bytes) {
      const wanted = bytes.subarray(0, options.size - at)
      const written = file.write(wanted, at)
      hash.add(wanted)
      await written
      at += wanted.length
    },
    async finish() {
      const mode = options.mode ?? before?.mode
      if (beside && mode !== undefined) await file.setMode(mode)
      await file.close()
      if (beside) await files.rename(part, target)
      letGo()
      return hash.bytes()
    },
    async stop() {
      await file.close().catch(() => undefined)
      if (beside && !(options.keeps && at >= leastKept)) await files.remove(part, false).catch(() => undefined)
      letGo()
    },
  }
}

/** Takes the name of a part for one upload; answers how to let it go, when nothing more is done to it. Errors: `Refusal`. */
const reserve = async (part: string, sleep: Machine['sleep']): Promise<() => void> => {
  if (busy.has(part)) await Promise.race([busy.get(part), sleep(letGoMs)])
  if (busy.has(part)) throw new Refusal('another upload of this file is in progress')
  let tell = () => {}
  const released = new Promise<void>((resolve) => {
    tell = resolve
  })
  busy.set(part, released)
  return () => {
    if (busy.get(part) === released) busy.delete(part)
    tell()
  }
}

/** Hidden, beside the target, and of this size only. */
const partOf = (target: string, size: number, separator: string): string => {
  const cut = target.lastIndexOf(separator) + 1
  return `${target.slice(0, cut)}.${target.slice(cut).slice(0, 50)}.${size}.qd-part`
}

/** Undefined where nothing may be made beside a file that is there. */
const openPart = async (
  files: MachineFiles,
  part: string,
  { resume }: ReceiverOptions,
  isThere: boolean,
): Promise<OpenedFile | undefined> => {
  try {
    if (resume && (await files.status(part).catch(() => undefined))?.kind === 'file')
      return await files.open(part, 'keep')
    await files.remove(part, false).catch(() => undefined)
    return await files.open(part, 'new')
  } catch (error) {
    // The kernel’s own folders (/proc) say that the new file isn’t there.
    if (isThere && ['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(codeOf(error))) return undefined
    throw error
  }
}

const hashPart = async (file: OpenedFile, hash: { add(bytes: Uint8Array): void }, size: number): Promise<number> => {
  for (let at = 0; ; ) {
    const bytes = await file.read(at, Math.min(portion, size - at))
    if (bytes.length === 0) return at
    hash.add(bytes)
    at += bytes.length
  }
}
