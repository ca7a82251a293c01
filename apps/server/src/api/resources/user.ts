import { type AnyRow, actionOf, Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { user } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { notedAs } from '../../store/records/audit.ts'
import { type Also, createOrder } from '../../store/records/commit.ts'
import { invalid, readIds, readInput } from '../../store/records/input.ts'
import { demandRight } from '../../store/records/rights.ts'
import type { UserRow } from '../../store/records/rows.ts'
import { randomText } from '../../store/records/secrets.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import { rotationOf } from './account.ts'
import type { Served } from './entity.ts'
import { type ResourceStore, refuseBlocked, type Surroundings, unquoted } from './store.ts'

const problemTexts = {
  'new_password.required': () => texts.passwordShort,
  'new_password.tooShort': () => texts.passwordShort,
  'username.required': () => texts.usernameEmpty,
  'username.tooShort': () => texts.usernameEmpty,
  'username.taken': () => texts.usernameTaken,
  'role.notOption': () => texts.invalidRole,
}

export const userRoutes: Served<'user'> = { resource: user, serve: createUserStore }

/** Deleting a user deletes their records and ends every session and socket at once (S-08). */
function createUserStore(container: Container, around: Surroundings): ResourceStore {
  const {
    accounts,
    announcements,
    bindings,
    clock,
    kept,
    ownershipTransfers,
    random,
    rotations,
    secondFactor,
    sessions,
    settings,
    sockets,
  } = container
  /** Placeholder for an unchanged password; nobody can type it. */
  const unchanged = randomText(random, 64)

  const needs = ({ viewer }: Caller, right: 'read' | 'write' | 'remove') => demandRight(settings, viewer, user, right)

  /** An API token could create a user to sign in as (contract http-api 11). */
  function needsSignIn(caller: Caller): void {
    needs(caller, 'write')
    if (caller.token) throw new AppError('tokenForbidden', { text: texts.notForTokens })
  }

  function known(id: number): UserRow {
    const row = accounts.find(id)
    if (!row) throw new AppError('notFound', { resource: 'user', id })
    return row
  }

  function ownedBy(id: number): Readonly<Record<string, number>> {
    const counts = kept
      .filter(({ resource }) => resource.wire.verbs.includes('delete'))
      .map(
        ({ resource, records }) =>
          [resource.name, records.all().filter(({ owner_id }) => owner_id === id).length] as const,
      )
    return Object.fromEntries(counts.filter(([, count]) => count > 0))
  }

  function recordOf({ viewer }: Caller, row: UserRow): AnyRow {
    const uses = sessions.all().filter(({ user_id }) => user_id === row.id)
    const used = Math.max(0, ...uses.map(({ last_used_at }) => last_used_at))
    return {
      id: row.id,
      created_at: toInstant(row.created_at),
      updated_at: toInstant(row.updated_at),
      username: row.username,
      role: row.role,
      ...rotationOf(row),
      ...(row.reject_password && { reject_password: true }),
      ...(row.totp_secret !== '' && { totp: true }),
      ...(used > 0 && { last_used_at: toInstant(used) }),
      is_self: row.id === viewer.id,
      owns: ownedBy(row.id),
    }
  }

  /** Errors: `invalid` if the name is taken. */
  function demandFree(username: unknown, id: number | null): void {
    const name = String(username)
    const other = accounts.byName(name)
    if (other && other.id !== id) throw invalid([{ field: 'username', code: 'taken' }], problemTexts, {})
    if (accounts.lookalike(name, id)) throw invalid([{ field: 'username', code: 'looksAlike' }], {}, {})
  }

  const inOrder = createOrder()

  /** In order, each with the caller's rights at that time: of two administrators who demote each other, one stays. */
  function inTurn<T>({ viewer }: Caller, work: () => Promise<T>): Promise<T> {
    return inOrder(() => {
      if (!accounts.isAdmin(viewer.id as number)) throw new AppError('forbidden')
      return work()
    })
  }

  function changed(id: number): void {
    announcements.announce({ resource: 'user', id, ownerId: 0 })
  }

  const storedOf = ({ id, username, role, password_hash: new_password }: UserRow) => ({
    id,
    username,
    role,
    new_password,
  })

  const noted = notedAs(storedOf)

  const acts: Readonly<Record<string, (row: UserRow, also: Also<UserRow>) => Promise<unknown>>> = {
    async 'reset-totp'(row, also) {
      // Someone who knows the password may be signed in.
      await secondFactor.turnOff(row, also, sessions.endingUsers([row.id]))
      sockets.endUser(row.id, '2FA reset')
    },
    // Only the user may see the secret.
    'rotate-secret': ({ id }, also) => rotations.begin(id, also),
    'end-rotation': ({ id }, also) => rotations.end(id, also),
  }

  return {
    resource: user,
    version: () => null,
    stored: (ids) =>
      ids.flatMap((id) => {
        const row = accounts.find(id)
        return row ? storedOf(row) : []
      }),
    async list(caller) {
      needs(caller, 'read')
      return JSON.stringify(accounts.all().map((row) => recordOf(caller, row)))
    },
    async get(caller, id) {
      needs(caller, 'read')
      return JSON.stringify(recordOf(caller, known(id)))
    },
    async create(caller, body, note) {
      needsSignIn(caller)
      // The zero would be an administrator.
      const input = readInput(user, body, { texts: problemTexts, defaults: { role: -1 } })
      return inTurn(caller, async () => {
        demandFree(input.username, null)
        const { username, new_password: password, role } = input
        const made = { username: String(username), password: String(password), role: Number(role) }
        const { id } = await accounts.create(made, noted(note))
        changed(id)
        return id
      })
    },
    async edit(caller, id, body, ifMatch, note) {
      needsSignIn(caller)
      return inTurn(caller, async () => {
        const row = known(id)
        refuseBlocked(actionOf(user, 'edit'), { resource: user, record: recordOf(caller, row), now: clock.now() })
        if (ifMatch !== null && unquoted(ifMatch) !== toInstant(row.updated_at)) throw new AppError('conflict')
        const before = { username: row.username, role: row.role, new_password: unchanged }
        const input = readInput(user, body, { texts: problemTexts, before, keep: ['username', 'role'] })
        demandFree(input.username, id)
        const password = input.new_password === unchanged ? null : String(input.new_password)
        const next = { username: String(input.username), role: Number(input.role), password }
        // Less rights or a new password require a new sign-in (S-08).
        const isStricter = password !== null || input.role !== row.role
        await accounts.change(id, next, noted(note), ...(isStricter ? [sessions.endingUsers([id])] : []))
        if (isStricter) sockets.endUser(id, 'credentials changed')
        changed(id)
      })
    },
    async remove(caller, body, note) {
      needs(caller, 'remove')
      const ids = readIds(body)
      if (ids.length === 0) throw new AppError('invalid', { text: texts.noUserId })
      if (ids.includes(caller.viewer.id as number))
        throw new AppError('blocked', { reason: 'self', text: texts.deleteSelf })
      return inTurn(caller, async () => {
        // A repeat deletes what an error has left; 0 owns what is nobody's.
        const isLeft = (id: number) => id > 0 && Object.keys(ownedBy(id)).length > 0
        const gone = [...new Set(ids)].filter((id) => accounts.find(id) || isLeft(id))
        // Own rights, not those of the caller's token.
        const admin: Caller = { ...caller, viewer: { id: 0, username: '', role: Role.admin, scopes: null } }
        if (gone.length === 0) return gone
        // First, so that no sign-in or agent can start meanwhile.
        await accounts.remove(gone, (db) => note?.(db, []), sessions.endingUsers(gone))
        const failed: unknown[] = []
        const attempt = (work: Promise<void>) => work.catch((error: unknown) => failed.push(error))
        for (const id of gone) {
          bindings.userDeleted(id)
          sockets.endUser(id, 'user deleted')
        }
        for (const id of gone) {
          await attempt(ownershipTransfers.userDeleted(id))
          await attempt(around.removeOwned(admin, id))
          changed(id)
        }
        if (failed.length > 0) throw failed[0]
        return gone
      })
    },
    async act(caller, action, id, _body, note) {
      needsSignIn(caller)
      return inTurn(caller, async () => {
        const row = known(id)
        refuseBlocked(action, { resource: user, record: recordOf(caller, row), now: clock.now() })
        await acts[action.name]!(row, noted(note))
        changed(id)
        return null
      })
    },
  }
}
