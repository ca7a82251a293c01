import { createHash } from 'node:crypto'
import { type Action, Role, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { session } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import type { Note } from '../../store/records/audit.ts'
import { demandFor, demandRight } from '../../store/records/rights.ts'
import { ownerItem, toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore, type Surroundings } from './store.ts'

interface Entry {
  id: number
  userId: number
  fields: Readonly<Record<string, unknown>>
  end(note: Note | undefined): Promise<void>
}

/** 48 bits of the secret's hash. */
function publicId(secret: string): number {
  return Number.parseInt(createHash('sha256').update(secret).digest('hex').slice(0, 12), 16)
}

export const sessionRoutes: Served<'session'> = { resource: session, serve: createSessionStore }

/** Own sign-ins and shells; for administrators all. */
function createSessionStore({ sessions, streams, sockets }: Container, around: Surroundings): ResourceStore {
  const { accounts, settings } = around
  function entries({ viewer, session: current }: Caller): Entry[] {
    const signIns = sessions.all().map(({ id, user_id, ...row }) => ({
      id: publicId(id),
      userId: user_id,
      fields: {
        kind: 'sign-in',
        client: row.client,
        address: row.address,
        created_at: toInstant(row.created_at),
        last_used_at: toInstant(row.last_used_at),
        expires_at: toInstant(row.expires_at),
        is_current: id === current,
      },
      async end(note: Note | undefined) {
        await sessions.end(id, (db) => note?.(db))
        sockets.endSession(id, 'signed out')
      },
    }))
    const shells = streams
      .all()
      .filter(({ purpose }) => purpose !== 'logs')
      .map((stream) => ({
        id: publicId(stream.id),
        userId: stream.creator.viewer.id ?? 0,
        fields: {
          kind: 'shell',
          client: stream.creator.token?.name ?? stream.creator.viewer.username,
          address: stream.creator.address,
          server_id: stream.serverId,
          created_at: toInstant(stream.createdAt),
          last_used_at: toInstant(stream.usedAt()),
        },
        async end() {
          stream.end('revoked')
        },
      }))
    return [...signIns, ...shells].filter(({ userId }) => sees(viewer, userId))
  }

  return {
    ...noRoutes,
    resource: session,
    async list(caller) {
      demandRight(settings, caller.viewer, session, 'read')
      const rows = entries(caller).map(({ id, userId, fields }) => ({
        id,
        ...fields,
        owner: ownerItem(accounts, userId),
      }))
      return rows.length === 0 ? null : JSON.stringify(rows)
    },
    async act(caller, action: Action, id, _body, note) {
      demandFor(settings, caller.viewer, session, action)
      const entry = entries(caller).find((one) => one.id === id)
      if (!entry) throw new AppError('notFound', { resource: 'session', id })
      await entry.end(note)
      return null
    },
  }
}

const sees = (viewer: Viewer, userId: number) => viewer.role === Role.admin || viewer.id === userId
