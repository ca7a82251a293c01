import { type AnyRow, titleOf } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { createFileSession, type FileSession, pathShownAs } from '@qd/core/files'
import { server } from '@qd/core/resources'
import { rowStatus } from '@qd/core/view'
import type { Cli } from '../command.ts'
import { findOne, recordsOf } from '../read.ts'

export interface Place {
  files: FileSession
  id: number
  name: string
  path: string
}

/** Splits `SERVER:PATH` at its first colon; null for a local path. */
export function parsePlace(word: string): { server: string; path: string } | null {
  const at = word.indexOf(':')
  // One letter and a slash is a local drive.
  if (at < 1 || /^[A-Za-z]:[\\/]/.test(word) || word.slice(0, at).includes('/')) return null
  return { server: word.slice(0, at), path: word.slice(at + 1) }
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
