import type { FileAbility } from '@qd/protocol/files'
import * as z from 'zod'
import { type ApiPort, lazy, shapeFaults } from '../define/index.ts'
import { AppError } from '../errors.ts'
import type { FileChecksum, FileEntry, FileRange, FolderList } from './types.ts'
import { normalPath } from './view/paths.ts'

const opened = lazy(() =>
  z.looseObject({
    session_id: z.string().min(1),
    abilities: z.array(z.string()).optional(),
  }),
)
const kinds = { dir: 'folder', symlink: 'link', special: 'other' } as const
const details = lazy(() =>
  z.looseObject({
    path: z.string(),
    truncated: z.boolean().catch(false),
    entries: z.array(
      z.looseObject({
        name: z.string(),
        type: z.string(),
        size: z.number(),
        mode: z.string(),
        mtime: z.number(),
        link_target: z.string().optional(),
      }),
    ),
  }),
)
const part = lazy(() =>
  z.looseObject({
    content: z.string(),
    sha256: z.string(),
    truncated: z.boolean().catch(false),
    offset: z.number().optional(),
  }),
)
const sum = lazy(() => z.looseObject({ sha256: z.string(), size: z.number() }))
const deleted = lazy(() => z.looseObject({ deleted_count: z.number() }))

/** The file calls over plain HTTP. Source: contract http-api 3.8, docs/reference/files.md. */
export function createFileCalls(api: ApiPort, server: number, run?: number) {
  const post = async <Schema extends z.ZodType>(schema: Schema, path: string, body?: object) => {
    const query = body ? {} : { query: { id: server, ...(run !== undefined && { run }) } }
    const answer = await api.send({
      method: 'POST',
      path,
      // All of these only read, but for one.
      ...(path !== 'file/delete' && { changesNothing: true }),
      ...query,
      ...(body && { body: { server_id: server, ...body } }),
    })
    const parsed = schema.safeParse(answer)
    if (!parsed.success) throw new AppError('badAnswer', { reason: shapeFaults(parsed.error) })
    return parsed.data as z.output<Schema>
  }
  return {
    async open(): Promise<{ id: string; isOurs: boolean; abilities: ReadonlySet<FileAbility> }> {
      const { session_id, abilities } = await post(opened(), 'file')
      return { id: session_id, isOurs: abilities !== undefined, abilities: new Set(abilities as FileAbility[]) }
    },
    async details(path: string): Promise<FolderList> {
      const answer = await post(details(), 'file/details', { path })
      const entries = answer.entries.map(
        ({ name, type, size, mode, mtime, link_target }): FileEntry => ({
          name,
          kind: kinds[type as keyof typeof kinds] ?? 'file',
          size,
          modified: mtime * 1000,
          mode,
          ...(link_target !== undefined && { target: link_target }),
        }),
      )
      return { path: normalPath(answer.path), entries, isElsewhere: false, isCut: answer.truncated }
    },
    async read(path: string, range: { offset: number; length: number }): Promise<FileRange> {
      const { content, sha256, truncated, offset = range.offset } = await post(part(), 'file/read', { path, ...range })
      return { bytes: fromBase64(content), offset, sha256, isAll: !truncated }
    },
    checksum: (path: string): Promise<FileChecksum> => post(sum(), 'file/checksum', { path }),
    remove: async (path: string, recursive: boolean): Promise<number> =>
      (await post(deleted(), 'file/delete', { path, recursive })).deleted_count,
  }
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
