import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resources } from '@qd/core/resources'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createCsrf } from './access/cookies.ts'
import { createEnrollment } from './access/enrollment.ts'
import { createFirewall } from './access/firewall.ts'
import { createGate, reportingGate } from './access/gate.ts'
import { createLimits } from './access/limits.ts'
import { createOAuth2 } from './access/oauth2.ts'
import { createProviders } from './access/providers.ts'
import { createSecondFactor } from './access/second-factor.ts'
import { createSessions } from './access/sessions.ts'
import { createSockets, serverStops } from './access/sockets.ts'
import { createStepUp } from './access/step-up.ts'
import { createTokenGate } from './access/tokens.ts'
import type { FindZone } from './act/ddns/zone.ts'
import type { Container } from './api/container.ts'
import { createHealth, silentDatabase } from './api/health.ts'
import { asStopping, createAnswering, createListening, listenAsStandby } from './api/http/listening.ts'
import { createNatRelay } from './api/http/nat-relay.ts'
import type { Entity } from './api/resources/entity.ts'
import { createStores, loadRecords } from './api/resources/registry.ts'
import { createApp } from './api/routes/app.ts'
import { createFileLinks } from './api/routes/file-links.ts'
import { createFileRoutes } from './api/routes/files.ts'
import { createHistoryReads } from './api/routes/history.ts'
import { createHostActions, createHostLogs, createHostReads, hostResources } from './api/routes/hosts.ts'
import { createInstallRoutes } from './api/routes/install.ts'
import { createLookups } from './api/routes/lookups.ts'
import { createMcpRoute } from './api/routes/mcp.ts'
import { createMetricsRoute } from './api/routes/metrics.ts'
import { createOAuth2Routes } from './api/routes/oauth2.ts'
import { createPages } from './api/routes/pages.ts'
import { createServiceReads } from './api/routes/services.ts'
import { createKeyRoutes, createSessionRoutes } from './api/routes/session.ts'
import { type Config, installers } from './config.ts'
import { createEngines } from './engines.ts'
import { createAgentFiles, createUpdateKey } from './fleet/install/agent-files.ts'
import { createNezhaRelease } from './fleet/install/nezha-release.ts'
import { capabilities, demoCapability } from './kernel/capabilities.ts'
import { stopInTurn } from './kernel/engine.ts'
import { isDiskFull, Refusal } from './kernel/errors.ts'
import { createClientAddresses, createProxyWarnings } from './kernel/net/client-address.ts'
import type { Outbound } from './kernel/net/outbound.ts'
import { listen, originOf, type Port } from './kernel/net/port.ts'
import { plainHost } from './kernel/net/reserved-hosts.ts'
import { createUnauthenticated } from './kernel/net/unauthenticated.ts'
import type { Clock, Random, Resolve } from './kernel/ports.ts'
import { version } from './kernel/version.ts'
import { createJointWrites } from './store/db/joint-writes.ts'
import { openPostgres } from './store/db/postgres.ts'
import type { PostgresPlace } from './store/db/postgres-pool.ts'
import type { Db } from './store/db/schema.ts'
import { noRoomIn, openSqlite, unreadable } from './store/db/sqlite.ts'
import { createStorage, type Storage } from './store/db/storage.ts'
import { createAccounts, firstUser } from './store/records/accounts.ts'
import { createAnnouncements } from './store/records/announcements.ts'
import { createAudit } from './store/records/audit.ts'
import { createBindings } from './store/records/bindings.ts'
import { createConsoleNames, createNatNames } from './store/records/console-names.ts'
import { preparePasswords } from './store/records/passwords.ts'
import { createQuota } from './store/records/quota.ts'
import { forgetDeletedReferences } from './store/records/references.ts'
import { createRetention } from './store/records/retention.ts'
import { keptSecret, randomText } from './store/records/secrets.ts'
import { createSettings } from './store/records/settings.ts'
import { demandWhole } from './upkeep/backup/restore.ts'
import { createFolderWatch, holdDataFolder } from './upkeep/data-folder.ts'

export interface Outside {
  clock: Clock
  random: Random
  log: Logger
  resolve: Resolve
  timeZone: string
  descriptors: number
  simulated?: SimulatedNetwork
  entities?: readonly Entity[]
}

export interface SimulatedNetwork {
  outbound: Outbound
  findZone: FindZone
  fetch: typeof globalThis.fetch
  /** Lower-case ISO code, empty if unknown. */
  countryOf(address: string): string
}

export interface RunningServer {
  container: Container
  address: AddressInfo
  origin: string
  /** Resolves with the reason when the server must stop. */
  lost: Promise<string>
  /** Null if there were users. */
  firstPassword: string | null
  /** Returns the names of parts that failed or timed out. */
  stop(): Promise<readonly string[]>
}

/** Starts the server; a standby, when the active one is gone. Errors: Refusal, or the reason of `ending` while it waits, with everything released. */
export async function startServer(
  { ...config }: Config,
  outside: Outside,
  ending: AbortSignal = new AbortController().signal,
): Promise<RunningServer> {
  const release = await holdDataFolder(config.data)
  let db: Db | null = null
  let waiting: Port | null = null
  try {
    demandWhole(config.data)
    let taken: (why: string) => void = () => {}
    const lost = new Promise<string>((resolve) => {
      taken = resolve
    })
    const storage = createStorage(outside)
    if (config.standby) {
      waiting = await listenAsStandby(config, outside)
      // The same one later, if any was free.
      config.port = waiting.address.port
    }
    const watch = { log: outside.log, storage, standby: config.standby ? ending : null, taken }
    const opened =
      config.databaseUrl === null
        ? { db: await openSqlite(config.data, storage), place: null, isHeld: () => true, mayAct: () => true }
        : await openPostgres(config.databaseUrl, watch)
    db = opened.db
    const parts = { ...opened, storage, release, waiting, taken: () => taken(takenFolder) }
    return { ...(await build(config, outside, parts)), lost }
  } catch (error) {
    await waiting?.close()
    await db?.destroy()
    release()
    if (isDiskFull(error)) throw noRoomIn(config.data, error)
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_'))
      throw new Refusal(unreadable(config.data, error), { cause: error })
    throw error
  }
}

const takenFolder = 'another Quarterdeck server took over the data folder after its lock file was removed'

/** For what a fleet did at the very end. */
const lastWritesMs = 2500

/** How long a server that hands over tells balancers that it isn’t ready. */
const handOverMs = 1000
/** How long it answers, after that, whoever has connected. */
const lastCallsMs = 500

type Built = Omit<RunningServer, 'lost'>

interface Opened {
  db: Db
  place: PostgresPlace | null
  /** Whether no other server can have taken the database. */
  isHeld(): boolean
  mayAct(): boolean
  /** Answers on the port until the server does. */
  waiting: Port | null
  storage: Storage
  release(): void
  taken(): void
}

async function build(
  config: Config,
  outside: Outside,
  { db, place, isHeld, mayAct, waiting, storage, release, taken }: Opened,
): Promise<Built> {
  const { clock, random, log, resolve, simulated, entities = [] } = outside
  await preparePasswords()
  const signingKey = await keptSecret(db, 'signing-key', () => randomText(random, 64))
  const agentSecret = await keptSecret(db, 'agent-secret', () => config.agentSecret ?? randomText(random, 32))
  const updateKey = await createUpdateKey(db)
  const accounts = await createAccounts({ db, clock, random, siteSecret: agentSecret })
  const settings = await createSettings({ db, hostTimeZone: outside.timeZone })
  const quota = createQuota({ accounts, settings })
  const records = await loadRecords({ db, clock, random, quota }, entities)
  forgetDeletedReferences(records.kept, settings, log)
  const writes = createJointWrites({ db, clock, log })
  const audit = await createAudit({ db, clock, writes })
  const retention = await createRetention({ ...records, db, clock, log })
  const sockets = createSockets()
  const sessions = await createSessions({
    db,
    clock,
    retention,
    random,
    accounts,
    settings,
    quota,
    sockets,
    secret: signingKey,
  })
  const clients = createClientAddresses(config.trustProxy, {
    ...createProxyWarnings(log),
    headers: () => ({ web: settings.get().web_real_ip_header, agent: settings.get().agent_real_ip_header }),
  })
  const allowed = () => settings.get().waf_allowlist
  const firewall = await createFirewall({ ...clients, db, clock, log, allowed })
  const unauthenticated = createUnauthenticated({ ...clients, ...firewall, ...outside })
  const consoleNames = await createConsoleNames({
    db,
    clock,
    log,
    isTaken: (name) => records.nat.all().some(({ domain }) => plainHost(domain) === name),
  })
  const natNames = createNatNames({ settings, accounts, consoleNames, listensOn: config.host })
  const gate = reportingGate(
    createGate(sessions, createTokenGate({ tokens: records.apiTokens, accounts, firewall, clock, log }), clients),
    unauthenticated,
    consoleNames,
  )
  const base = {
    enrollment: await createEnrollment({ db, clock, random, accounts }),
    updateKey,
    config,
    log,
    clock,
    retention,
    random,
    resolve,
    db,
    postgres: place,
    writes,
    mayAct,
    accounts,
    settings,
    ...records,
    announcements: createAnnouncements(),
    audit,
    gate,
    sockets,
    firewall,
    clients,
    unauthenticated,
    consoleNames,
    natNames,
  }
  const announced = simulated ? [...capabilities, demoCapability] : capabilities
  const engines = createEngines(base, simulated)
  const unprobe = storage.probe(() => sql`update kysely_migration_lock set is_locked = is_locked`.execute(db))
  const folder = createFolderWatch(base, taken)
  const disk = { start: async () => {}, problem: () => storage.problem() ?? writes.problem() }
  const ask = () =>
    sql`select 1`.execute(db).then(
      () => null,
      () => silentDatabase,
    )
  const health = createHealth([disk, folder, ...engines.all], { ask, isHeld }, clock)

  const csrf = createCsrf({ secret: signingKey, random })
  const limits = createLimits(clock)
  const secondFactor = createSecondFactor({ accounts, settings, clock, random })
  const bindings = await createBindings({ db, clock, ...records })
  const providers = createProviders({
    site: () => settings.get().dashboard_host,
    ...(simulated && { fetch: simulated.fetch }),
  })
  const oauth2 = createOAuth2({ accounts, bindings, providers, secondFactor, firewall, clock, random })
  const stepUp = createStepUp({ accounts, sessions, settings, limits, secondFactor, firewall, audit })
  const nezha = createNezhaRelease(join(config.data, 'nezha-agent'), installers)
  const container: Container = {
    ...base,
    ...engines,
    sessions,
    limits,
    secondFactor,
    oauth2,
    bindings,
    stepUp,
    agentSecret,
    nezha,
  }
  const links = createFileLinks(base, engines.streams)
  const stores = createStores(container, entities)
  const hosts = { ...container, stepUp, stores, kinds: hostResources(resources) }
  const sessionRoutes = createSessionRoutes({ ...base, accounts, sessions, csrf, limits, secondFactor, bindings })
  const app: ReturnType<typeof createApp> = createApp({
    log,
    random,
    settings,
    gate,
    csrf,
    audit,
    clients,
    stores,
    reads: {
      ...createLookups({ ...engines, ...base }),
      ...createServiceReads({ base, ...engines, cycleStats: engines.alerts.cycleStats }),
      ...createHistoryReads(base, engines),
      ...createHostReads(hosts),
      ...createKeyRoutes(container),
    },
    hostActions: { ...createHostActions(hosts), ...createHostLogs(hosts) },
    files: createFileRoutes(base, { ...container, stepUp, links }),
    fileLinks: links.routes,
    metrics: createMetricsRoute({ ...base, ...engines }),
    mcp: createMcpRoute({ ...base, capabilities: announced, tokens: records.apiTokens, app: () => app }),
    downloads: createInstallRoutes({
      files: createAgentFiles(config.agentBundle, updateKey.sign),
      installers,
      nezha,
    }),
    sessionRoutes,
    oauth2Routes: createOAuth2Routes({ ...container, sessionRoutes }),
    stepUp,
    about: { name: 'quarterdeck', version, capabilities: announced },
    health,
    page: createPages({ folder: config.web, random, settings }),
  })
  const answering = createAnswering()
  const { http, upgrade } = createListening({
    base,
    engines,
    app,
    answering,
    nat: createNatRelay({ ...base, ...engines }),
  })
  await waiting?.close()
  let isStopping = false
  const serving = { http, upgrade, grpc: engines.acceptAgent }
  const parts = () => (config.standby && isStopping ? asStopping : serving)
  const port = await listen(config, {
    unauthenticated,
    http: (...call) => parts().http(...call),
    upgrade: (...call) => parts().upgrade(...call),
    grpc: (socket) => parts().grpc(socket),
  })
  // Only with an open port: a refused start must not create the user whose password it never shows.
  const firstPassword = await firstUser(accounts, config.adminPassword, random)
  await health.start()

  let stopping: Promise<readonly string[]> | null = null
  async function stop() {
    isStopping = true
    if (!config.standby) port.refuse()
    sockets.endAll(serverStops)
    const unstopped = await stopInTurn([...engines.all].reverse(), log)
    // An interrupted download is no loss to the server.
    await stopInTurn([{ name: 'http', stop: answering.idle }], log)
    const drainedAt = performance.now()
    if (!config.standby) await port.close()
    await firewall.settled()
    await consoleNames.settled()
    unprobe()
    retention.stop()
    const last = await stopInTurn([{ name: 'writes', stop: writes.finish, timeoutMs: lastWritesMs }, folder], log)
    await db.destroy()
    // Until the balancer sends no more.
    if (config.standby) await sleep(Math.max(0, drainedAt + handOverMs - performance.now()))
    await port.close(config.standby ? lastCallsMs : 0)
    release()
    return [...unstopped, ...last]
  }
  return {
    container,
    address: port.address,
    origin: originOf(config, port.address),
    firstPassword,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}
