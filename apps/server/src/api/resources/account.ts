import { createHash } from 'node:crypto'
import { demand, type Viewer } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { account } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { notedAs } from '../../store/records/audit.ts'
import type { Also } from '../../store/records/commit.ts'
import { invalid, readInput } from '../../store/records/input.ts'
import { checkPassword } from '../../store/records/passwords.ts'
import type { UserRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { Container } from '../container.ts'
import type { Served } from './entity.ts'
import { noRoutes, type ResourceStore } from './store.ts'

const own = {
  'original_password.wrong': () => texts.wrongPassword,
  'reject_password.wrong': () => texts.noBindings,
}

export const accountRoutes: Served<'account'> = { resource: account, serve: createAccountStore }

function createAccountStore({
  accounts,
  agents,
  bindings,
  limits,
  rotations,
  secondFactor,
  servers,
  settings,
  signInProviders,
  sessions,
  sockets,
  stepUp,
}: Container): ResourceStore {
  async function newStart(caller: Caller): Promise<void> {
    const { viewer, session } = caller
    sockets.endUser(viewer.id as number, 'credentials changed', session)
    if (session === null) return
    caller.renewed = await sessions.renew(session)
    sockets.renewed(session, caller.renewed.session)
  }

  async function renewSecret(user: UserRow, also: Also<UserRow>): Promise<{ agent_secret: string }> {
    const agent_secret = await accounts.renewSecret(user.id, also)
    for (const { id, owner_id } of servers.all())
      if (owner_id === user.id) agents.disconnect(id, 'the agent secret was renewed')
    return { agent_secret }
  }

  interface Order {
    user: UserRow
    session: string
    body: unknown
    also: Also<UserRow>
  }

  const calls: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
    'renew-secret': ({ user, also }) => renewSecret(user, also),
    'rotate-secret': async ({ user, also }) => ({ agent_secret: await rotations.begin(user.id, also) }),
    'end-rotation': ({ user, also }) => rotations.end(user.id, also),
    totp: async ({ session, user, body, also }) => {
      const { code = '' } = (body ?? {}) as { code?: unknown }
      const tried = { session, code: typeof code === 'string' ? code : '' }
      return { recovery_codes: await secondFactor.turnOn(user, tried, also) }
    },
    'password-off': async ({ user, also }) => {
      if (bindings.waysIn(user.id).length === 0)
        throw new AppError('blocked', { reason: 'lastWay', text: texts.noBindings })
      await accounts.rejectPassword(user.id, true, also)
    },
    'password-on': ({ user, also }) => accounts.rejectPassword(user.id, false, also),
    'totp-off': ({ user, also }) => secondFactor.turnOff(user, also),
    'recovery-codes': async ({ user, also }) => ({ recovery_codes: await secondFactor.renewCodes(user, also) }),
  }

  /** External accounts by lower-case provider name (contract http-api 3.3). */
  function boundTo(id: number): { oauth2_bind?: Record<string, string> } {
    const bound = bindings.of(id).flatMap(({ provider_id, open_id }) => {
      const provider = signInProviders.find(provider_id)
      return provider ? [[provider.name.toLowerCase(), open_id] as const] : []
    })
    return bound.length === 0 ? {} : { oauth2_bind: Object.fromEntries(bound) }
  }

  function self(viewer: Viewer): UserRow {
    demand(viewer, { audience: account.audience.read, scope: null })
    const user = accounts.find(viewer.id as number)
    if (!user) throw new AppError('unauthorized')
    return user
  }

  return {
    ...noRoutes,
    resource: account,
    stored(_ids, { viewer }) {
      const user = accounts.find(viewer.id as number)
      return user ? [storedOf(user)] : []
    },
    async call({ viewer, session }, { name }, body, note) {
      const order = { user: self(viewer), session: session ?? '', body, also: noted(note) }
      return (calls[name] ?? noRoutes.act)(order)
    },
    async get({ viewer, address }: Caller) {
      const user = self(viewer)
      const { id, created_at, updated_at, username, role, agent_secret, reject_password } = user
      return JSON.stringify({
        id,
        created_at: toInstant(created_at),
        updated_at: toInstant(updated_at),
        username,
        role,
        agent_secret,
        ...rotationOf(user),
        ...avatarOf(username, settings.get().avatar_service),
        ...(reject_password && { reject_password }),
        ...boundTo(id),
        ...(user.totp_secret !== '' && { totp: true, recovery_codes: user.recovery_codes.length }),
        ...(address && { login_ip: address }),
      })
    },
    async edit(caller, _id, body, _ifMatch, note) {
      const { viewer, address } = caller
      const user = self(viewer)
      // With 2FA, the old password alone is no proof.
      if (user.totp_secret !== '') stepUp.demand(caller)
      const given = body as { original_password?: unknown } | null
      const original = given && typeof given.original_password === 'string' ? given.original_password : ''
      const leave = await limits.enter(address, user.username)
      if (!(await checkPassword(user.password_hash, original).finally(leave))) {
        limits.failed(address, user.username)
        throw refused([{ field: 'original_password', code: 'wrong' }])
      }
      const input = readInput(account, body, { texts: own })
      const isLast = bindings.waysIn(user.id).length === 0
      if (input.reject_password && isLast) throw refused([{ field: 'reject_password', code: 'wrong' }])
      const next = {
        username: String(input.new_username),
        password: String(input.new_password),
        rejectPassword: input.reject_password === true,
      }
      await accounts.changeCredentials(user.id, next, noted(note), sessions.endingUsers([user.id], caller.session))
      await newStart(caller)
    },
  }
}

const storedOf = ({ id, username, password_hash: new_password, reject_password }: UserRow) => ({
  id,
  username,
  new_username: username,
  new_password,
  reject_password,
})

const noted = notedAs(storedOf)

const refused = (problems: readonly Problem[]) => invalid(problems, own, {})

export const rotationOf = ({ waiting_servers }: UserRow): { secret_waiting?: number } =>
  waiting_servers ? { secret_waiting: waiting_servers.length } : {}

/** The avatar service gets a hash, never the name; at `{hash}` or at the end. */
function avatarOf(username: string, service: unknown): { avatar_url?: string } {
  if (typeof service !== 'string' || service === '') return {}
  const hash = createHash('sha256').update(username).digest('hex')
  return { avatar_url: service.includes('{hash}') ? service.replaceAll('{hash}', hash) : service + hash }
}
