import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What the agent of this machine needs to reach the server it belongs to. */
export interface LocalAgentOptions {
  /** Path of the built agent program. */
  program: string
  /** Where the server listens; a wildcard address is reached over loopback. */
  host: string
  port: number
  tls: boolean
  secret: string
  /** File in which the agent keeps its uuid, so that a restart is the same server again. */
  configFile: string
  /** First pause before a restart, in ms; doubles up to a minute while the agent keeps ending at once. */
  pauseMs: number
  onLine(line: string): void
}

/** The server's own secrets stay with the server: commands run on this machine inherit the agent's environment. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { QD_ADMIN_PASSWORD: _password, QD_AGENT_SECRET: _secret, DATABASE_URL: _database, ...rest } = env
  return rest
}

/** Where `npm run build` puts the agent, seen from the sources and from the bundle alike. */
export const agentProgram = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Runs the agent of this machine as a child process and starts it again whenever it ends.
 * The secret goes through the environment, so that it is not in the process list.
 */
export function startLocalAgent(options: LocalAgentOptions): { stop(): Promise<void> } {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let pauseMs = options.pauseMs
  let stopped = false

  function start() {
    const startedAt = Date.now()
    const args = [
      options.program,
      '--server',
      `${reachable(options.host)}:${options.port}`,
      '--config',
      options.configFile,
      ...(options.tls ? ['--tls'] : []),
    ]
    const env = {
      ...withoutSecrets(process.env),
      NZ_CLIENT_SECRET: options.secret,
      ...(options.tls ? { NZ_INSECURE_TLS: 'true' } : {}),
    }
    child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => text.split('\n').filter(Boolean).forEach(options.onLine))
    child.on('error', (error) => options.onLine(error.message))
    child.on('close', () => {
      child = null
      if (stopped) return
      pauseMs = Date.now() - startedAt > 60_000 ? options.pauseMs : Math.min(pauseMs * 2, 60_000)
      timer = setTimeout(start, pauseMs)
    })
  }

  start()
  return {
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      const running = child
      if (!running) return Promise.resolve()
      return new Promise((resolve) => {
        running.once('close', () => resolve())
        running.kill('SIGTERM')
        setTimeout(() => running.kill('SIGKILL'), 2000).unref()
      })
    },
  }
}
