import { type Metadata, status } from '@grpc/grpc-js'
import { enrollmentHeader, hostnameHeader } from '@qd/protocol/task-types'
import type { Enrollment } from '../../access/enrollment.ts'
import type { Base } from '../../base.ts'
import { isDatabaseAway } from '../../kernel/errors.ts'
import { texts } from '../../kernel/texts.ts'
import { sha256 } from '../../store/records/accounts.ts'
import type { ServerRow } from '../../store/records/rows.ts'

export type Identify = (metadata: Metadata, address: string) => Promise<ServerRow>

const agents = { identifier: -127, reason: 3 }

/** Authenticates agents behind the firewall (S-38): a blocked address is refused unread (agent contract 1.8), but on a shared one a right secret still counts, so that the own agent isn't locked out. */
export function createGuard(
  base: Pick<Base, 'accounts' | 'servers' | 'log' | 'firewall'>,
  credentials: Credentials,
  onFailure: (address: string) => void,
): Identify {
  const { firewall } = base
  return async (metadata, peer) => {
    const isBlocked = firewall.blocks(peer) !== null
    const blocked = new CallError(status.UNKNOWN, texts.blocked)
    if (isBlocked && !firewall.isShared(peer)) throw blocked
    const failed = () => {
      if (isBlocked) throw blocked
      firewall.failed(peer, agents.identifier, agents.reason)
      onFailure(peer)
    }
    const server = await authenticate(base, credentials, metadata, failed)
    firewall.succeeded(peer, agents.identifier)
    return server
  }
}

/** One line per address (behaviour S-39). */
const logEveryMs = 60_000
const maxAddresses = 1000

export function createRefusalLog({ clock, log }: Pick<Base, 'clock' | 'log'>): (address: string) => void {
  const loggedAt = new Map<string, number>()
  return (address) => {
    const now = clock.now()
    const last = loggedAt.get(address)
    if (last !== undefined && Math.abs(now - last) < logEveryMs) return
    loggedAt.delete(address)
    loggedAt.set(address, now)
    const [oldest] = loggedAt.keys()
    if (loggedAt.size > maxAddresses && oldest !== undefined) loggedAt.delete(oldest)
    log.warn({ address }, 'agent refused: wrong secret or UUID, or the UUID belongs to another user')
  }
}

export class CallError extends Error {
  readonly code: status
  readonly details: string
  constructor(code: status, details: string) {
    super(details)
    this.code = code
    this.details = details
  }
}

interface Credentials {
  ownershipTransfers: {
    accepts(server: ServerRow, secret: string): boolean
    ownerOf(server: ServerRow): number
  }
  rotations: {
    proved(server: ServerRow, secret: string): void
  }
  enrollment: Pick<Enrollment, 'ownerOf' | 'use' | 'giveBack'>
}

/** Nezha's texts where it has one (agent contract 1.7). */
const refusals = {
  credentials: '客户端认证失败',
  uuid: '客户端 UUID 不合法',
  owner: 'client UUID does not belong to the agent secret owner',
  enrol: 'client cannot be enrolled',
  code: 'the enrollment code was used up or has expired; copy a new install command (qd server install)',
  ownSecret:
    'this server has a secret of its own; copy a new install command (qd server reinstall), or revoke the secret',
  renewed: 'the agent secret was renewed; give this agent the new one (qd account secret, or the install command)',
}

const ownSecretForm = /^[0-9A-Za-z]{32}$/

/** No RFC 4122 version or variant: Nezha agents use random bytes (agent contract 1.5). */
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The server of a call; unknown hosts are enrolled. `onFailure`: counts against the address. Errors: `CallError` (agent contract 1.5, 1.6). */
async function authenticate(
  base: Pick<Base, 'accounts' | 'servers' | 'log'>,
  credentials: Credentials,
  metadata: Metadata,
  onFailure: () => void,
): Promise<ServerRow> {
  const server = await identify(base, credentials, metadata, onFailure)
  credentials.rotations.proved(server, credential(metadata, 'secret'))
  return server
}

async function identify(
  { accounts, servers, log }: Pick<Base, 'accounts' | 'servers' | 'log'>,
  { ownershipTransfers, enrollment }: Credentials,
  metadata: Metadata,
  onFailure: () => void,
): Promise<ServerRow> {
  const refuse = (reason: keyof typeof refusals) => new CallError(status.UNAUTHENTICATED, refusals[reason])
  const secret = credential(metadata, 'secret')
  const uuid = credential(metadata, 'uuid')
  if (!secret) throw refuse('credentials')
  if (!uuidForm.test(uuid)) {
    onFailure()
    throw refuse('uuid')
  }
  const hostname = String(metadata.get(hostnameHeader)[0] ?? '')
  const enrol = (host: { uuid: string; ownerId: number }) =>
    servers.enrol({ ...host, hostname }).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error, uuid }, 'failed to enroll agent')
      throw refuse('enrol')
    })
  const known = servers.byUuid(uuid)
  const hash = sha256(secret)
  if (known?.secret_hash === hash) return known
  if (known && ownershipTransfers.accepts(known, secret)) {
    // A transfer's secret belongs to this server alone and replaces its own.
    if (known.secret_hash !== '') await servers.setSecret(known.id, hash)
    return known
  }
  const code = String(metadata.get(enrollmentHeader)[0] ?? '')
  if (code !== '') {
    const ownerId = enrollment.ownerOf(code, uuid)
    if (ownerId === 'over') throw refuse('code')
    if (ownerId === null) {
      onFailure()
      throw refuse('credentials')
    }
    if (known && ownerId !== 0 && ownerId !== ownershipTransfers.ownerOf(known)) {
      onFailure()
      throw refuse('owner')
    }
    if (!ownSecretForm.test(secret)) throw refuse('credentials')
    if (!(await enrollment.use(code))) throw refuse('code')
    const row =
      known ??
      (await enrol({ uuid, ownerId }).catch(async (error: unknown) => {
        await enrollment.giveBack(code)
        throw error
      }))
    await servers.enrolled(row.id, hash)
    return servers.find(row.id) ?? row
  }
  const ownerId = accounts.ownerOfSecret(secret)
  if (ownerId === null) {
    // A former secret is no guess: the host gets advice and isn't blocked.
    if (accounts.isFormerSecret(secret)) throw refuse('renewed')
    onFailure()
    throw refuse('credentials')
  }
  if (!known) return enrol({ uuid, ownerId })
  if (ownerId === 0 || ownerId === ownershipTransfers.ownerOf(known)) {
    if (known.secret_hash === '') return known
    // The owner's agent secret may be compromised; the host has its own.
    throw refuse('ownSecret')
  }
  onFailure()
  throw refuse('owner')
}

/** The hyphenated spelling wins, even if empty. */
function credential(metadata: Metadata, name: 'secret' | 'uuid'): string {
  const [value] = metadata.get(`client-${name}`).concat(metadata.get(`client_${name}`))
  return String(value ?? '').trim()
}
