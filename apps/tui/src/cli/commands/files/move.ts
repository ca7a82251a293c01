import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type AnyRow, titleOf } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import {
  createFileSession,
  type FileSession,
  freeName,
  joinPath,
  lastName,
  parentPath,
  parsePlace,
  pathShownAs,
  safeFileName,
  shownName,
  type TransferProgress,
} from '@qd/core/files'
import { server } from '@qd/core/resources'
import { rowStatus } from '@qd/core/view'
import { type Cli, type FlagValues, textFlag } from '../command.ts'
import { findOne, recordsOf } from '../read.ts'
import { inTemporaryFolder, localKind, localNames, openSource, openTarget, sha256Of, withSize } from './local.ts'

export interface Place {
  files: FileSession
  id: number
  name: string
  path: string
}

export async function openPlace(cli: Cli, word: string | undefined, command: string): Promise<Place> {
  const parsed = parsePlace(word ?? '')
  if (!parsed) throw usageError('notPlace', { text: word ?? '', try: `qd files ${command} web-1:/var/log` })
  const row = await findOne(server, await recordsOf(cli), parsed.server, 'get')
  const place = await filesOf(cli, row)
  return { ...place, path: await pathShownAs(parsed.path, place.files.list) }
}

/** Adds the server's name to an error, and since when its agent is disconnected. */
export async function withAgentState(cli: Cli, { id, name }: Place, thrown: unknown): Promise<unknown> {
  const error = toAppError(thrown)
  if (error.code !== 'blocked' && error.code !== 'failed') return thrown
  const { viewer: whoIs } = await cli.connect()
  const [viewer, records] = await Promise.all([whoIs(), recordsOf(cli)])
  const { translator, format } = cli
  return records
    .get(server, id)
    .then((row) => records.read((view) => rowStatus({ translator, format, view, viewer }, server, row)))
    .then((state) => {
      const absence = state?.absence
      return absence ? new AppError('blocked', { ...error.params, name, standing: absence }, { cause: thrown }) : thrown
    })
    .catch(() => thrown)
}

/** With `run`, uploads belong to that run. */
export async function filesOf(cli: Cli, row: AnyRow, run?: number): Promise<Omit<Place, 'path'>> {
  const { client, settings } = await cli.connect()
  const { socketPorts } = await import('../../../base/connect/socket.ts')
  const files = createFileSession({
    server: row.id,
    ...(run !== undefined && { run }),
    api: client,
    ports: socketPorts(cli.io),
    baseUrl: settings.url,
    headers: () => client.socketHeaders(),
  })
  return { files, id: row.id, name: plainText(titleOf(server, row)) }
}

const everyMs = 200

function createProgress(cli: Cli, name: string): { tell(progress: TransferProgress): void; clear(): void } {
  const { io, flags, format, translator } = cli
  const isShown = io.stderr.isTTY && !flags.quiet
  const begunAt = io.now()
  let begunWith: number | null = null
  let shownAt = 0
  let isThere = false
  return {
    tell({ done, total, stalled }) {
      begunWith ??= done
      const now = io.now()
      if (!isShown || now - shownAt < everyMs) return
      shownAt = now
      const rate = ((done - begunWith) / Math.max(1, now - begunAt)) * 1000
      const left = rate > 0 ? format.duration(Math.ceil((total - done) / rate)) : ''
      const percent = format.percent(total === 0 ? 100 : Math.floor((done / total) * 100))
      const pace = stalled ? translator.t('ui.cli.files.stalled') : `${format.rate(rate)}  ${left}`
      const line = `${plainText(name)}  ${percent}  ${format.bytes(done)} / ${format.bytes(total)}  ${pace}`
      io.stderr.write(`\r\u001b[K${line.slice(0, io.stderr.columns - 1)}`)
      isThere = true
    },
    clear() {
      if (isThere) io.stderr.write('\r\u001b[K')
      isThere = false
    },
  }
}

export const conflicts = ['replace', 'keep-both', 'skip', 'fail'] as const
type Conflict = (typeof conflicts)[number]

/** `sha256` is the receiver's, or the sender's if the receiver doesn't tell. */
export interface Moved {
  server: string
  path: string
  local: string
  size: number
  sha256: string
}

export interface MoveOptions {
  resume: boolean
  recursive: boolean
  conflict: Conflict | null
}

export function moveOptions(flags: FlagValues): MoveOptions {
  const conflict = textFlag(flags, 'conflict') as Conflict | undefined
  if (conflict !== undefined && !conflicts.includes(conflict))
    throw usageError('badChoice', { flag: '--conflict', text: conflict, known: conflicts.join(', ') })
  return { resume: flags.resume === true, recursive: flags.recursive === true, conflict: conflict ?? null }
}

/** Resolves a conflict: by flag, else by question, else replaces like scp. Null: skip. */
async function settle(cli: Cli, name: string, conflict: Conflict | null): Promise<Conflict | null> {
  const answer = async (): Promise<Conflict> =>
    (await cli.ask(cli.t('ui.cli.files.replace', { name: shownName(name) }))) ? 'replace' : 'skip'
  const choice = conflict ?? (cli.canAsk ? await answer() : 'replace')
  if (choice === 'fail') throw new AppError('fileExists', { name: shownName(name) })
  return choice === 'skip' ? null : choice
}

const freeLocal = async (path: string): Promise<string> =>
  join(dirname(path), freeName(basename(path), new Set(await localNames(dirname(path)))))

async function getFile(cli: Cli, { files, name }: Place, path: string, to: string, options: MoveOptions) {
  let local = to
  if (!options.resume && (await localKind(local)) !== null) {
    const choice = await settle(cli, local, options.conflict)
    if (choice === null) return null
    if (choice === 'keep-both') local = await freeLocal(local)
  }
  const target = await openTarget(local, options.resume)
  const progress = createProgress(cli, lastName(path))
  try {
    const { size, grew } = await files
      .download(path, target.sink, { offset: target.offset, onProgress: progress.tell })
      .finally(progress.clear)
    if (grew) cli.warn(cli.t('ui.cli.files.grew', { path: shownName(path) }))
    await target.finish()
    return { server: name, path, local, size, sha256: await sha256Of(local) }
  } catch (error) {
    const keeps = (await files.abilities().catch(() => new Set<string>())).has('resume')
    await target.stop(keeps)
    throw error
  }
}

export async function get(cli: Cli, place: Place, to: string | undefined, options: MoveOptions): Promise<Moved[]> {
  const { files, path } = place
  const asked = resolve(cli.io.cwd, to ?? '.')
  const name = safeFileName(lastName(path))
  const local = (await localKind(asked)) === 'folder' ? join(asked, name) : asked
  if (options.recursive) {
    const found = await files.list(path)
    if (!found.isElsewhere) return getFolder(cli, place, found.path, local, options)
  }
  const moved = await getFile(cli, place, path, local, options).catch(async (error: unknown) => {
    if (options.recursive || !(await isFolder(files, path))) throw error
    const words = ['qd files get -r', `${place.name}:${path}`, ...(to === undefined ? [] : [to])]
    throw usageError('isFolder', { name: shownName(path), try: words.join(' ') })
  })
  return onlyOne(moved)
}

async function getFolder(cli: Cli, place: Place, path: string, local: string, options: MoveOptions): Promise<Moved[]> {
  const { entries } = await place.files.list(path)
  await mkdir(local, { recursive: true })
  const moved: Moved[] = []
  for (const entry of entries) {
    const from = joinPath(path, entry.name)
    const to = join(local, safeFileName(entry.name))
    if (entry.kind === 'folder') moved.push(...(await getFolder(cli, place, from, to, options)))
    else {
      const one = await getFile(cli, place, from, to, options).catch((error: unknown) => leaveOut(cli, error, from))
      if (one) moved.push(one)
    }
  }
  return moved
}

function leaveOut(cli: Cli, error: unknown, path: string): null {
  if (!(error instanceof AppError) || error.code !== 'failed') throw error
  cli.warn(`${shownName(path)}: ${String(error.params.text ?? '')}`)
  return null
}

export async function put(cli: Cli, from: string, place: Place, options: MoveOptions): Promise<Moved[]> {
  const { files } = place
  if (from === '-')
    return inTemporaryFolder(async (folder) => {
      const local = join(folder, 'input')
      await cli.io.stdin.saveTo(local)
      return onlyOne(await putFile(cli, local, place, place.path, options))
    })
  const local = resolve(cli.io.cwd, from)
  const kind = await localKind(local)
  if (kind === null) throw usageError('unreadableFile', { path: from })
  if (kind === 'folder' && !options.recursive)
    throw usageError('isFolder', { name: from, try: `qd files put -r ${from} ${place.name}:${place.path}` })
  const target = (await isFolder(files, place.path)) ? joinPath(place.path, basename(local)) : place.path
  if (kind === 'device') throw usageError('deviceFile', { path: from })
  if (kind === 'file') return onlyOne(await putFile(cli, local, place, target, options))
  return putFolder(cli, local, place, target, options)
}

const onlyOne = (moved: Moved | null): Moved[] => (moved ? [moved] : [])

async function isFolder(files: FileSession, path: string): Promise<boolean> {
  if (path === '' || /[/\\]$/.test(path) || path === '~') return true
  const folder = parentPath(path)
  if (folder === null) return true
  const { entries, isElsewhere } = await files.list(folder)
  return !isElsewhere && entries.some(({ name, kind }) => kind === 'folder' && name === lastName(path))
}

async function putFolder(cli: Cli, local: string, place: Place, path: string, options: MoveOptions): Promise<Moved[]> {
  await place.files.makeFolder(path)
  const moved: Moved[] = []
  for (const name of await localNames(local)) {
    const from = join(local, name)
    const to = joinPath(path, name)
    const kind = await localKind(from)
    if (kind === 'folder') moved.push(...(await putFolder(cli, from, place, to, options)))
    else if (kind === 'file') moved.push(...onlyOne(await putFile(cli, from, place, to, options)))
    else cli.warn(cli.t('ui.cli.usage.deviceFile', { path: shownName(from) }))
  }
  return moved
}

/** Null if skipped. Errors: `failed` on a checksum mismatch. */
export async function putFile(cli: Cli, local: string, { files, name }: Place, path: string, options: MoveOptions) {
  let conflict: 'replace' | 'keep-both' = 'replace'
  const folder = parentPath(path)
  // Only if something other than replacing is possible.
  if (!options.resume && folder !== null && (options.conflict ?? (cli.canAsk ? 'ask' : 'replace')) !== 'replace') {
    const { entries, isElsewhere } = await files.list(folder)
    if (!isElsewhere && entries.some((entry) => entry.name === lastName(path))) {
      const choice = await settle(cli, path, options.conflict)
      if (choice === null) return null
      conflict = choice === 'keep-both' ? 'keep-both' : 'replace'
    }
  }
  return withSize(local, async (content): Promise<Moved> => {
    const source = await openSource(content)
    const progress = createProgress(cli, basename(local))
    try {
      const sent = await files
        .upload(path, source, { conflict, resume: options.resume, onProgress: progress.tell })
        .finally(progress.clear)
      const sha256 = await sha256Of(content)
      if (sent.sha256 !== null && sent.sha256 !== sha256)
        throw new AppError('failed', { text: cli.t('ui.cli.files.differs', { path: shownName(path) }) })
      return { server: name, path: sent.path, local, size: sent.size, sha256 }
    } finally {
      await source.close()
    }
  })
}
