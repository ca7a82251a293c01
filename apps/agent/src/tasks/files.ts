import type { FileStatus, MachineFiles } from '../files/machine-files.ts'
import { createReceiver } from '../files/receiver.ts'
import { openSource } from '../files/source.ts'
import { Refusal, toFixedText } from '../files/words.ts'
import type { Machine } from '../machine.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from './runner.ts'

/** Limits of agent contract 3.10. */
const mostEntries = 5000
const mostReadBytes = 1024 * 1024
const mostWriteBytes = 8 * 1024 * 1024

/** What tasks 16 to 19 ask for; each uses some. */
interface FileTask {
  path: string
  show_hidden?: boolean
  offset?: number
  length?: number
  encoding?: string
  content?: string
  mode?: string
  if_match_sha256?: string
  create_dirs?: boolean
  recursive?: boolean
}

/** A path that these tasks take. Errors: `Refusal`. */
export const demandPath = (path: unknown, { separator }: Pick<MachineFiles, 'separator'>): string => {
  if (typeof path !== 'string' || path === '') throw new Refusal('path required')
  const isAbsolute = separator === '/' ? path.startsWith('/') : /^([A-Za-z]:[\\/]|\\\\)/.test(path)
  if (!isAbsolute || path.includes('\0')) throw new Refusal('path must be absolute')
  if (separator === '\\' && path.slice(2).includes(':')) throw new Refusal('alternate data streams are not supported')
  return path
}

/** The permission bits of an octal text. Errors: `Refusal`. */
export const parseMode = (mode: string | undefined): number => {
  if (mode === undefined || mode === '') return 0o644
  if (!/^[0-7]{1,4}$/.test(mode)) throw new Refusal(`invalid mode: ${mode.slice(0, 20)}`)
  return Number.parseInt(mode, 8)
}

/** A regular file, not a link to one. Errors: `Refusal`, the system's. */
export const demandRegular = async (files: MachineFiles, path: string): Promise<FileStatus> => {
  const status = await files.status(path)
  const what = status.special ? `: it is a ${status.special}` : ''
  if (status.kind !== 'file') throw new Refusal(`path is not a regular file${what}`)
  return status
}

/** Size and SHA-256 in hex of all that is in a file. */
const checksumOf = async (files: MachineFiles, path: string): Promise<{ size: number; sha256: string }> => {
  const file = await openSource(files, path)
  try {
    const hash = files.checksum()
    for (let size = 0; ; ) {
      const bytes = await file.read(size, mostReadBytes)
      if (bytes.length === 0) return { size, sha256: toHex(hash.bytes()) }
      hash.add(bytes)
      size += bytes.length
    }
  } finally {
    await file.close()
  }
}

/** Refuses to replace a file that is no longer the one that was read. Errors: `Refusal`. */
export const demandMatch = async (files: MachineFiles, path: string, wanted: string | undefined): Promise<void> => {
  if (!wanted) return
  const is = await checksumOf(files, path).catch(() => undefined)
  if (is === undefined) throw new Refusal('if_match precondition failed: file does not exist')
  if (is.sha256 !== wanted.toLowerCase()) throw new Refusal('if_match precondition failed: sha256 mismatch')
}

/** Makes the folders above a path that are not there. */
export const makeParents = async (files: MachineFiles, path: string): Promise<void> => {
  for (let at = path.indexOf(files.separator, 1); at > 0; at = path.indexOf(files.separator, at + 1)) {
    const folder = path.slice(0, at)
    const isThere = await files.status(folder, { follow: true }).catch(() => undefined)
    if (!isThere) await files.makeFolder(folder)
  }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const list = async (files: MachineFiles, { path, show_hidden }: FileTask): Promise<object> => {
  const all = await files.names(demandPath(path, files))
  const shown = show_hidden ? all : all.filter(({ name }) => !name.startsWith('.'))
  const entries: object[] = []
  for (const { name } of shown.slice(0, mostEntries)) {
    const whole = path.endsWith(files.separator) ? `${path}${name}` : `${path}${files.separator}${name}`
    const status = await files.status(whole).catch(() => undefined)
    if (!status) continue
    const { kind, size, mode, modified } = status
    entries.push({
      name,
      type: kind,
      size,
      mode: `0${(mode & 0o777).toString(8).padStart(3, '0')}`,
      mtime: modified,
      ...(kind === 'symlink' && { is_symlink: true, link_target: await files.linkTarget(whole).catch(() => '') }),
    })
  }
  return { entries, ...(shown.length > mostEntries && { truncated: true, total: shown.length }) }
}

/** A negative offset counts from the end; then, and when asked for, the answer says where it begins and how long the file is. */
const read = async (files: MachineFiles, task: FileTask): Promise<object> => {
  const { offset = 0, length = 0, encoding = 'utf8' } = task
  const path = demandPath(task.path, files)
  await demandRegular(files, path)
  if (encoding !== 'utf8' && encoding !== 'base64') throw new Refusal(`unsupported encoding: ${encoding.slice(0, 20)}`)
  const file = await openSource(files, path)
  const { size } = file
  try {
    const from = offset < 0 ? Math.max(0, size + offset) : offset
    const wanted = Math.min(length > 0 ? length : mostReadBytes, mostReadBytes)
    const bytes = await file.read(from, wanted)
    const hash = files.checksum()
    hash.add(bytes)
    return {
      content: Buffer.from(bytes).toString(encoding),
      encoding,
      size: bytes.length,
      sha256: toHex(hash.bytes()),
      ...(from + bytes.length < size && { truncated: true }),
      ...(offset < 0 && { offset: from }),
    }
  } finally {
    await file.close()
  }
}

const write = async (machine: Machine, task: FileTask): Promise<object> => {
  const files = machine.fileSystem
  const path = demandPath(task.path, files)
  const content = Buffer.from(task.content ?? '', task.encoding === 'base64' ? 'base64' : 'utf8')
  if (content.length > mostWriteBytes) throw new Refusal('content exceeds 8MiB')
  const mode = parseMode(task.mode)
  await demandMatch(files, path, task.if_match_sha256)
  if (task.create_dirs) await makeParents(files, path)
  const receiver = await createReceiver(machine, path, { size: content.length, resume: false, keeps: false, mode })
  try {
    await receiver.add(content)
    return { size: content.length, sha256: toHex(await receiver.finish()) }
  } catch (error) {
    await receiver.stop()
    throw error
  }
}

const remove = async (files: MachineFiles, task: FileTask): Promise<object> => {
  const path = demandPath(task.path, files)
  if (/^(?:[A-Za-z]:)?[/\\]+\.*[/\\]*$/.test(path)) throw new Refusal('refusing to delete root')
  let deleted_count = 0
  const take = async (at: string): Promise<void> => {
    const isFolder = (await files.status(at)).kind === 'dir'
    if (isFolder && task.recursive)
      for (const { name } of await files.names(at)) await take(`${at}${files.separator}${name}`)
    await files.remove(at, isFolder)
    deleted_count += 1
  }
  try {
    await take(path)
  } catch (error) {
    const isMissing = toFixedText(error) === 'file or directory does not exist'
    if (!(isMissing && task.recursive)) return { deleted_count, error: toFixedText(error) }
  }
  return { deleted_count }
}

const checksum = async (files: MachineFiles, task: FileTask): Promise<object> =>
  checksumOf(files, demandPath(task.path, files))

/** Tasks 16 to 19, and the checksum of a whole file that only our server asks for. Source: agent contract 3.10, docs/files.md. */
export const createFileTasks = (machine: Machine) => {
  const files = machine.fileSystem
  const handler =
    (work: (task: FileTask) => Promise<object>, empty: object): TaskHandler =>
    async (task, { reply }) => {
      let request: FileTask
      try {
        const fields: unknown = JSON.parse(task.data)
        if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw new Error('not an object')
        request = fields as FileTask
      } catch (error) {
        return reply({ data: `invalid request: ${toReason(error)}` })
      }
      const answer = await work(request).catch((error) => ({ ...empty, error: toFixedText(error) }))
      reply({ successful: true, data: JSON.stringify(answer) })
    }
  return {
    list: handler((task) => list(files, task), fileAnswers.list),
    read: handler((task) => read(files, task), fileAnswers.read),
    write: handler((task) => write(machine, task), fileAnswers.write),
    remove: handler((task) => remove(files, task), fileAnswers.remove),
    checksum: handler((task) => checksum(files, task), fileAnswers.checksum),
  }
}

/** What an answer holds besides `error` where nothing was done. */
export const fileAnswers = {
  list: { entries: null },
  read: { content: '', encoding: '', size: 0 },
  write: { size: 0, sha256: '' },
  remove: { deleted_count: 0 },
  checksum: { size: 0, sha256: '' },
}
