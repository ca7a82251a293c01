import { X509Certificate } from 'node:crypto'
import { Role } from '@qd/core/define'
import { type DoctorCheck, doctorNames, olderAgents } from '@qd/core/resources'
import type { Base } from '../base.ts'
import type { LiveState } from '../fleet/live/live-store.ts'
import { lastBackup } from '../store/db/files.ts'
import { placeIn, readSiteOf } from '../store/db/postgres-holder.ts'
import { checkPassword } from '../store/records/passwords.ts'
import type { Monitors } from './monitors/monitors.ts'

type Patient = Pick<Base, 'config' | 'db' | 'postgres' | 'accounts' | 'apiTokens' | 'clock' | 'consoleNames'> &
  Pick<Base, 'servers' | 'services' | 'settings'> & {
    live: Pick<LiveState, 'hostOf'>
    monitors: Pick<Monitors, 'figuresOf'>
    streams: { all(): readonly OpenStream[] }
  }

interface OpenStream {
  readonly purpose: string
  readonly serverId: number
  readonly createdAt: number
  readonly creator: { readonly viewer: { readonly username: string } }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const backupMs = 7 * dayMs
const soonMs = 21 * dayMs
const terminalMs = 8 * hourMs
const maxNames = 5
const triedFirst = ['admin', 'administrator', 'password', 'changeme', '12345678', 'admin123', 'quarterdeck']

const isThisMachine = (host: string) => ['localhost', '::1'].includes(host) || host.startsWith('127.')

/** Runs every check of core's list (behaviour N-25). Checks without a finding are left out. */
export async function examine(patient: Patient): Promise<{ check: DoctorCheck; names: readonly string[] }[]> {
  const found: { check: DoctorCheck; names: readonly string[] }[] = []
  for (const check of doctorNames) {
    const names = await checks[check](patient)
    if (names !== null && names.length > 0) found.push({ check, names })
  }
  return found
}

type Found = readonly string[] | null

const checks: Record<DoctorCheck, (patient: Patient) => Found | Promise<Found>> = {
  async defaultPassword({ accounts }) {
    const weak: string[] = []
    for (const { username, role, password_hash, reject_password } of accounts.all()) {
      if (role !== Role.admin || reject_password) continue
      for (const word of [username, ...triedFirst]) {
        if (!(await checkPassword(password_hash, word))) continue
        weak.push(username)
        break
      }
    }
    return weak
  },
  plainHttp: ({ config }) =>
    config.tls === null && config.trustProxy.length === 0 && !isThisMachine(config.host) ? [config.host] : null,
  nameUnconfirmed: ({ settings, consoleNames }) =>
    settings.get().dashboard_host === '' ? consoleNames.all().slice(0, maxNames) : null,
  certificateOver: (patient) => certificates(patient, (left) => left <= 0),
  certificateSoon: (patient) => certificates(patient, (left) => left > 0 && left < soonMs),
  noBackup({ config, clock }) {
    // An external database has its own backups.
    if (config.databaseUrl !== null) return null
    const at = lastBackup(config.data)
    return at !== null && clock.now() - at < backupMs
      ? null
      : [at === null ? '-' : new Date(at).toISOString().slice(0, 10)]
  },
  agentsPlain({ settings }) {
    const { tls, install_host } = settings.get()
    const host = install_host.replace(/:\d+$/, '')
    return tls || host === '' || isThisMachine(host) ? null : [install_host]
  },
  noSecondFactor: ({ accounts }) =>
    accounts
      .all()
      .filter(({ role, totp_secret }) => role === Role.admin && totp_secret === '')
      .map(({ username }) => username),
  openTerminals: ({ streams, clock, servers }) =>
    streams
      .all()
      .filter(({ purpose, createdAt }) => purpose === 'terminal' && clock.now() - createdAt > terminalMs)
      .map(({ serverId, creator }) => `${servers.find(serverId)?.name ?? serverId} (${creator.viewer.username})`),
  oldAgents({ servers, live }) {
    return olderAgents(servers.all().map(({ id, name }) => ({ name, version: live.hostOf(id).version ?? '' })))
  },
  endlessTokens: ({ apiTokens, accounts }) =>
    apiTokens
      .all()
      .filter(({ expires_at }) => expires_at === null)
      .map(({ name, owner_id }) => `${name} (${accounts.ownerOf(owner_id).username})`),
  async noStandby(patient) {
    const site = patient.config.standby ? await siteOf(patient) : null
    return site && site.standbys.length === 0 ? [site.active] : null
  },
  async activeServer(patient) {
    const site = await siteOf(patient)
    return site && [`${site.active}, ${site.version}, ${site.age.toFixed(1)} s`]
  },
  standbyServers: async (patient) => (await siteOf(patient))?.standbys ?? null,
}

/** Null with SQLite, and when another server has just taken the database. */
async function siteOf({ postgres, db }: Patient) {
  if (!postgres) return null
  const { active, standbys } = await readSiteOf(db)
  if (active === null) return null
  const placeOf = (name: string) => placeIn(name, ' (', ')')
  return { ...active, active: placeOf(active.name), standbys: standbys.map(placeOf) }
}

/** Certificates whose remaining time (ms) passes `isMeant`: the server's own, and those seen by monitors. */
function certificates({ config, clock, services, monitors }: Patient, isMeant: (leftMs: number) => boolean): string[] {
  const own = config.tls && Date.parse(new X509Certificate(config.tls.cert).validTo)
  const mine = own !== null && isMeant(own - clock.now()) ? [config.host] : []
  const seen = services.all().filter((row) => {
    const ends = monitors.figuresOf(row).cert_expires_at
    return ends !== null && isMeant(ends - clock.now())
  })
  return [...mine, ...seen.map(({ name }) => name)]
}
