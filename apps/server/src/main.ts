import { join } from 'node:path'
import type { Logger } from 'pino'
import { agentProgram, type Config, parseConfig, usage } from './config.ts'
import { openDemo, refuseDemoFolder } from './demo/demo.ts'
import { startLocalAgent } from './fleet/local-agent.ts'
import { startGateway } from './gateway/gateway.ts'
import { Failure, Refusal } from './kernel/errors.ts'
import { createLog } from './kernel/log.ts'
import { systemClock, systemDescriptors, systemRandom, systemResolve, systemTimeZone } from './kernel/ports.ts'
import { type RunningServer, startServer } from './server.ts'
import { commandIn } from './upkeep/commands.ts'

/** decisions.md promises five seconds. */
const stopWithinMs = 4500

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const command = commandIn(words)
  const config = parseConfig(command?.flags ?? words, process.env)
  if (config === 'help') {
    process.stdout.write(usage)
    return
  }
  if (command) {
    const { lines, code } = await command.run(config)
    process.stdout.write(`${lines.join('\n')}\n`)
    process.exitCode = code
    return
  }
  const log = createLog(config.log, (line) => process.stderr.write(line))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure')
    process.exit(1)
  })
  const outside = {
    clock: systemClock,
    random: systemRandom,
    resolve: systemResolve,
    timeZone: systemTimeZone(),
    descriptors: systemDescriptors(),
    log,
  }
  if (!config.demo) refuseDemoFolder(config.data)
  const demo = config.demo ? await openDemo(config, outside) : null
  const ending = new AbortController()
  const starting = config.upstream
    ? startGateway(config, config.upstream, outside)
    : startServer(config, demo?.outside ?? outside, ending.signal)
  let fleet: { stop(): void } | null = null
  let agent: { stop(): Promise<void> } | null = null
  let stopping = false
  async function stop(code = 0) {
    if (stopping) return
    stopping = true
    ending.abort()
    setTimeout(() => {
      log.error('stop interrupted; unwritten data is lost')
      process.exit(1)
    }, stopWithinMs).unref()
    fleet?.stop()
    await agent?.stop()
    const unstopped = await (await starting).stop()
    if (unstopped.length > 0) log.error({ engines: unstopped }, 'the server stopped before all components had finished')
    process.exit(unstopped.length > 0 ? 1 : code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())

  const server = await starting.catch((error: unknown) => {
    // A standby that was stopped while it waited.
    if (error === ending.signal.reason) process.exit(0)
    throw error
  })
  if (stopping) return
  if (server.container !== null) {
    agent = config.agent ? startOwnAgent(config, server, log) : null
    fleet = (await demo?.connect(server)) ?? null
    for (const line of demo?.lines(server.origin) ?? []) process.stdout.write(`${line}\n`)
    void server.lost.then((why) => {
      log.fatal(why)
      return stop(1)
    })
    if (server.firstPassword !== null) {
      const password = config.adminPassword === null ? server.firstPassword : '(as given in QD_ADMIN_PASSWORD)'
      process.stdout.write(`First start: sign in as admin with the password ${password}\n`)
    }
  }
  process.stdout.write(`Quarterdeck is ready: ${server.origin}/dashboard\n`)
  // Who gave a password knows what comes next, and a demo has servers.
  if (server.container !== null && server.firstPassword !== null && config.adminPassword === null && !demo)
    process.stderr.write(`${nextStep(server.origin)}\n`)
}

/** On stderr: the ready line stays the last one of stdout for scripts. */
const nextStep = (origin: string) =>
  `Next: sign in there and choose “Install agent” to add a server, or run: qd login ${origin} --user admin, then qd server install --wait`

function startOwnAgent({ data, host, tls }: Config, { address, container }: RunningServer, log: Logger) {
  return startLocalAgent({
    program: agentProgram,
    folder: join(data, 'agent'),
    host,
    port: address.port,
    tls: tls !== null,
    secret: container.agentSecret,
    configFile: join(data, 'agent.json'),
    onLine: (line) => log.info({ from: 'agent' }, line),
  })
}

main().catch((error: unknown) => {
  const isSaid = error instanceof Refusal || error instanceof Failure
  const line = isSaid ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`quarterdeck: ${line}\n`)
  process.exit(error instanceof Refusal ? 2 : 1)
})
