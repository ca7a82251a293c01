import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, usualDdnsOrigins } from '@qd/server/config'
import { type RunningGateway, startGateway } from '@qd/server/gateway'
import { createLog } from '@qd/server/log'
import { type Clock, systemClock, systemDescriptors, systemRandom } from '@qd/server/ports'
import { parseUpstream } from '@qd/server/upstream'
import { afterEach } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { type FakeUpstream, startFakeUpstream } from './peers/fake-upstream.ts'

/** A gateway in this process. */
export interface GatewayWorld {
  readonly origin: string
  readonly port: number
  /** Lines of its log, JSON, oldest first. */
  readonly log: readonly string[]
  guest(): Browser
  close(): Promise<void>
}

/** How a gateway is started otherwise than without any flags. */
export interface GatewayOptions {
  ca?: string
  host?: string
  realIpHeader?: string
  clock?: Clock
  config?: Partial<Config>
}

/** Starts a gateway before `url`, with a page that says what it is. */
export async function createGatewayWorld(url: string, options: GatewayOptions = {}): Promise<GatewayWorld> {
  const { ca, host, realIpHeader, clock = systemClock, config = {} } = options
  const folder = mkdtempSync(join(tmpdir(), 'qd-gateway-'))
  const web = join(folder, 'web')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<!doctype html><html lang="en"><head></head><body>the page</body></html>')
  writeFileSync(
    join(web, 'dashboard.html'),
    '<!doctype html><html lang="en"><head></head><body>the console</body></html>',
  )
  const log: string[] = []
  const upstream = parseUpstream({ url, ca, host, realIpHeader, readFile: (file) => readFileSync(file, 'utf8') })
  const all: Config = {
    host: '127.0.0.1',
    port: 0,
    data: join(folder, 'data'),
    agent: false,
    tls: null,
    trustProxy: [],
    adminPassword: null,
    agentSecret: null,
    databaseUrl: null,
    standby: false,
    log: 'json',
    web,
    agentBundle: '',
    ddnsOrigins: usualDdnsOrigins,
    demo: false,
    upstream,
    ...config,
  }
  const gateway: RunningGateway = await startGateway(all, upstream, {
    clock,
    random: systemRandom,
    descriptors: systemDescriptors(),
    log: createLog('json', (line) => log.push(line)),
  })
  return {
    origin: gateway.origin,
    port: gateway.address.port,
    log,
    guest: () => createBrowser(gateway.origin),
    async close() {
      await gateway.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** Closes it when the test has ended, the last first. */
export function closeAfter<Closing extends { close(): Promise<void> }>(one: Closing): Closing {
  opened.push(one)
  return one
}

/** A gateway before an upstream that answers as the test says; both end with the test. */
export async function createGatewayBefore(
  options: GatewayOptions = {},
  ofUpstream: Parameters<typeof startFakeUpstream>[0] = {},
): Promise<{ gateway: GatewayWorld; upstream: FakeUpstream }> {
  const upstream = closeAfter(await startFakeUpstream(ofUpstream))
  return { upstream, gateway: closeAfter(await createGatewayWorld(upstream.origin, options)) }
}
