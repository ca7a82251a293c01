import {
  checksumOf,
  demandMatch,
  demandPath,
  demandRegular,
  makeParents,
  maxReadBytes,
  openSource,
  parseMode,
  toHex,
} from '../machine/files/checks.ts'
import type { MachineFiles } from '../machine/files/machine-files.ts'
import { createReceiver } from '../machine/files/receiver.ts'
import { Refusal, toFixedText } from '../machine/files/words.ts'
import type { Machine } from '../machine/machine.ts'
import { toReason } from '../wire/rpc.ts'
import type { TaskHandler } from '../wire/runner.ts'

const maxEntries = 5000
const maxWriteBytes = 8 * 1024 * 1024

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

const list = async (files: MachineFiles, { path, show_hidden }: FileTask): Promise<object> => {
  const all = await files.names(demandPath(path, files))
  const shown = show_hidden ? all : all.filter(({ name }) => !name.startsWith('.'))
  const entries: object[] = []
  for (const { name } of shown.slice(0, maxEntries)) {
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
  return { entries, ...(shown.length > maxEntries && { truncated: true, total: shown.length }) }
}

/** A negative offset counts from the end; the answer then has the actual one. */
const read = async (files: MachineFiles, task: FileTask): Promise<object> => {
  const { offset = 0, length = 0, encoding = 'utf8' } = task
  const path = demandPath(task.path, files)
  await demandRegular(files, path)
  if (encoding !== 'utf8' && encoding !== 'base64') throw new Refusal(`unsupported encoding: ${encoding.slice(0, 20)}`)
  const file = await openSource(files, path)
  const { size } = file
  try {
    const from = offset < 0 ? Math.max(0, size + offset) : offset
    const wanted = Math.min(length > 0 ? length : maxReadBytes, maxReadBytes)
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
  if (content.length > maxWriteBytes) throw new Refusal('content exceeds 8MiB')
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

/** Tasks 16 to 19, and our server’s checksum (agent contract 3.10, docs/reference/files.md). */
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

export const fileAnswers = {
  list: { entries: null },
  read: { content: '', encoding: '', size: 0 },
  write: { size: 0, sha256: '' },
  remove: { deleted_count: 0 },
  checksum: { size: 0, sha256: '' },
}
