import { createHash } from 'node:crypto'
import { demand, type Viewer } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { account } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
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
    await sessions.endUser(viewer.id as number, session)
    sockets.endUser(viewer.id as number, 'credentials changed', session)
    if (session === null) return
    caller.renewed = await sessions.renew(session)
    sockets.renewed(session, caller.renewed.session)
  }

  async function renewSecret(user: UserRow): Promise<{ agent_secret: string }> {
    const agent_secret = await accounts.renewSecret(user.id)
    for (const { id, owner_id } of servers.all())
      if (owner_id === user.id) agents.disconnect(id, 'the agent secret was renewed')
    return { agent_secret }
  }

  const calls: Readonly<Record<string, (caller: Caller, user: UserRow, body: unknown) => Promise<unknown>>> = {
    'renew-secret': (_caller, user) => renewSecret(user),
    'rotate-secret': async (_caller, { id }) => ({ agent_secret: await rotations.begin(id) }),
    'end-rotation': (_caller, { id }) => rotations.end(id),
    totp: async ({ session }, user, body) => {
      const { code } = (body ?? {}) as { code?: unknown }
      return { recovery_codes: await secondFactor.turnOn(user, session ?? '', typeof code === 'string' ? code : '') }
    },
    'password-off': async (_caller, user) => {
      if (bindings.waysIn(user.id).length === 0)
        throw new AppError('blocked', { reason: 'lastWay', text: texts.noBindings })
      await accounts.rejectPassword(user.id, true)
    },
    'password-on': (_caller, user) => accounts.rejectPassword(user.id, false),
    'totp-off': (_caller, user) => secondFactor.turnOff(user),
    'recovery-codes': async (_caller, user) => ({ recovery_codes: await secondFactor.renewCodes(user) }),
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
    version: () => null,
    stored(_ids, { viewer }) {
      const user = accounts.find(viewer.id as number)
      return user
        ? [
            {
              id: user.id,
              username: user.username,
              new_username: user.username,
              new_password: user.password_hash,
              reject_password: user.reject_password,
            },
          ]
        : []
    },
    async call(caller, { name }, body) {
      const user = self(caller.viewer)
      return (calls[name] ?? noRoutes.act)(caller, user, body)
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
    async edit(caller, _id, body) {
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
      await accounts.changeCredentials(user.id, {
        username: String(input.new_username),
        password: String(input.new_password),
        rejectPassword: input.reject_password === true,
      })
      await newStart(caller)
    },
  }
}

const refused = (problems: readonly Problem[]) => invalid(problems, own, {})

export const rotationOf = ({ waiting_servers }: UserRow): { secret_waiting?: number } =>
  waiting_servers ? { secret_waiting: waiting_servers.length } : {}

/** The avatar service gets a hash, never the name; at `{hash}` or at the end. */
function avatarOf(username: string, service: unknown): { avatar_url?: string } {
  if (typeof service !== 'string' || service === '') return {}
  const hash = createHash('sha256').update(username).digest('hex')
  return { avatar_url: service.includes('{hash}') ? service.replaceAll('{hash}', hash) : service + hash }
}
