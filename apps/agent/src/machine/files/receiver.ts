import type { Machine } from '../machine.ts'
import { demandContent } from './checks.ts'
import type { MachineFiles, OpenedFile } from './machine-files.ts'
import { codeOf, Refusal } from './words.ts'

export type Receiver = Awaited<ReturnType<typeof createReceiver>>

export interface ReceiverOptions {
  size: number
  resume: boolean
  keeps: boolean
  /** Default: those of the replaced file, or the system’s. */
  mode?: number | undefined
}

/** Smaller parts aren’t kept. */
const leastKept = 8 * 1024 * 1024
const portion = 1024 * 1024
const busy = new Map<string, Promise<void>>()
/** Until the agent notices a broken connection. */
const letGoMs = 5_000

/** Receives a file beside its target and renames it when complete; follows links. Writes directly to devices, and if the folder isn’t writable. Errors: the system’s. */
export const createReceiver = async (
  { fileSystem: files, sleep }: Pick<Machine, 'fileSystem' | 'sleep'>,
  path: string,
  options: ReceiverOptions,
) => {
  const target = await files.realPath(path).catch(() => path)
  const before = await files.status(target).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (before?.kind === 'dir') throw Object.assign(new Error(), { code: 'EISDIR' })
  // Writing to these would wait for a reader.
  if (before?.special === 'named pipe (FIFO)' || before?.special === 'socket') demandContent(before)
  const part = partOf(target, options.size, files.separator)
  const letGo = await reserve(part, sleep)
  const isPlain = before === undefined || before.kind === 'file'
  const hash = files.checksum()
  let beside: OpenedFile | undefined
  let opened: OpenedFile | undefined
  let at = 0
  try {
    // Folder rights must not bypass file rights.
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
    /** Bytes kept from an earlier upload. */
    offset: at,
    async add(bytes: Uint8Array): Promise<void> {
      const wanted = bytes.subarray(0, options.size - at)
      const written = file.write(wanted, at)
      hash.add(wanted)
      await written
      at += wanted.length
    },
    async finish(): Promise<Uint8Array> {
      const mode = options.mode ?? before?.mode
      if (beside && mode !== undefined) await file.setMode(mode)
      await file.close()
      if (beside) await files.rename(part, target)
      letGo()
      return hash.bytes()
    },
    /** Aborts. A large part is kept for `resume`. */
    async stop(): Promise<void> {
      await file.close().catch(() => undefined)
      if (beside && !(options.keeps && at >= leastKept)) await files.remove(part, false).catch(() => undefined)
      letGo()
    },
  }
}

/** Claims a part for one upload. Errors: `Refusal`. */
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

const partOf = (target: string, size: number, separator: string): string => {
  const cut = target.lastIndexOf(separator) + 1
  return `${target.slice(0, cut)}.${target.slice(cut).slice(0, 50)}.${size}.qd-part`
}

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
    // The kernel’s folders (/proc) report ENOENT.
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
