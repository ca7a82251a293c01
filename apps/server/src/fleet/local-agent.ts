import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { findModules } from './install/agent-files.ts'

export interface LocalAgentOptions {
  program: string
  /** Where a copy runs, so that an update doesn't change the build. */
  folder: string
  host: string
  port: number
  tls: boolean
  secret: string
  /** Keeps the agent's UUID across restarts. */
  configFile: string
  onLine(line: string): void
}

/** Commands on this host inherit the agent's environment. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { QD_ADMIN_PASSWORD: _password, QD_AGENT_SECRET: _secret, DATABASE_URL: _database, ...rest } = env
  return rest
}

export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Installs the program with a link to the terminal module. Returns the copy's path. */
function install(program: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, 'quarterdeck-agent.mjs')
  if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(program))) {
    rmSync(`${copy}.update`, { force: true })
    copyFileSync(program, `${copy}.new`)
    renameSync(`${copy}.new`, copy)
  }
  const modules = findModules()
  if (modules !== null) {
    const link = join(folder, 'node_modules')
    rmSync(link, { recursive: true, force: true })
    symlinkSync(join(modules, 'node_modules'), link, 'junction')
  }
  return copy
}

/** Runs the local agent under its own supervisor. The secret goes through the environment, hidden from the process list; the IPC channel ends both with the server. */
export function startLocalAgent(options: LocalAgentOptions): { stop(): Promise<void> } {
  const { host, port, configFile, tls, secret, onLine } = options
  if (!existsSync(options.program)) {
    onLine(`${options.program} is not built; run: npm run build`)
    return { stop: async () => undefined }
  }
  const program = install(options.program, options.folder)
  const args = [
    '--supervise',
    '--server',
    `${reachableHost(host)}:${port}`,
    '--config',
    configFile,
    ...(tls ? ['--tls'] : []),
  ]
  const env = {
    ...withoutSecrets(process.env),
    NZ_CLIENT_SECRET: secret,
    QD_SEND_HOSTNAME: 'true',
    ...(tls ? { NZ_INSECURE_TLS: 'true' } : {}),
  }
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => text.split('\n').filter(Boolean).forEach(onLine))
  const closed = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      onLine(error.message)
      resolve()
    })
    child.on('close', () => resolve())
  })
  return {
    async stop() {
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), 2000)
      await closed
      clearTimeout(kill)
    },
  }
}
