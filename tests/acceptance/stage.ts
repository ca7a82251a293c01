import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import type { Programs } from '../support/programs.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import type { Step, Story } from './story.ts'

/** How a command of a story ended. */
export interface Ended {
  stdout: string
  stderr: string
  code: number | null
}

/** A story's surroundings: a real server, real agents, a folder, and a shell in which `qd` is the shipped program. */
export interface Stage {
  run(step: Step): Promise<Ended>
  close(): Promise<void>
}

/** A command that takes longer has hung. */
const longestMs = 60_000
const lookEveryMs = 50

/** `eventually 'text'`: runs shell text until it succeeds. */
const eventually =
  '#!/bin/bash\nfor _ in $(seq 200); do bash -c "$1" 2>/dev/null && exit; sleep 0.2; done; echo "never: $1" >&2; exit 1\n'

/** Sets the stage: servers get their names in the order they are listed, with ids from 1. */
export async function createStage(story: Story, programs: Programs): Promise<Stage> {
  const world = await createWorld({
    config: { agentBundle: programs.agent },
    ...(story.zone !== null && { timeZone: story.zone }),
  })
  const folder = mkdtempSync(join(tmpdir(), 'qd-story-'))
  for (const [name, text] of Object.entries({
    ...story.files,
    'bin/qd': `#!/bin/sh\nexec "${process.execPath}" "${programs.qd}" "$@"\n`,
    'bin/eventually': eventually,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: name.startsWith('bin/') ? 0o755 : 0o600 })
  }
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const agents: RealAgent[] = []
  const browser = await world.login()
  let id = 0
  for (const name of [...story.agents, ...story.outdated, ...story.offline]) {
    id += 1
    const isOffline = story.offline.includes(name)
    const running = story.outdated.includes(name)
      ? outdatedAgent(programs.agent, join(folder, `agent-${id}`))
      : { program: programs.agent }
    if (isOffline) await (await world.agent({ uuid: uuidOf(id) })).close()
    else
      agents.push(
        startRealAgent({ ...running, port: world.port, secret: siteSecret, uuid: uuidOf(id), folder, environment }),
      )
    await until(async () => (await serversOf(browser)).some((server) => server.id === id))
    await rename(browser, id, name)
  }
  const receivers: Receiver[] = []
  for (const name of story.receivers) receivers.push(await startReceiver(name, folder))
  const env = {
    ...Object.fromEntries(receivers.map(({ name, url }) => [`${name.toUpperCase()}_URL`, url])),
    ...environment,
    HOME: folder,
    LANG: 'C.UTF-8',
    QD_URL: world.origin,
    QD_CONFIG: join(folder, 'config.json'),
    QD_USER: admin.username,
    QD_PASSWORD: admin.password,
  }
  return {
    run: ({ command }) => shell(command, { cwd: folder, env }),
    async close() {
      await Promise.all(agents.map((agent) => agent.stop()))
      await Promise.all(receivers.map((receiver) => receiver.close()))
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The agent as it was before: the same program with an earlier version, in a folder that it may change. */
function outdatedAgent(current: string, folder: string): { program: string; flags: readonly string[] } {
  const program = join(folder, 'quarterdeck-agent.mjs')
  mkdirSync(folder)
  writeFileSync(program, readFileSync(current, 'utf8').replace(/(?<=name:"quarterdeck",version:")[^"]+/, '0.0.9'))
  return { program, flags: ['--supervise', '--config', join(folder, 'agent.json')] }
}

type Browser = Awaited<ReturnType<World['login']>>

interface ServerRow extends Record<string, unknown> {
  id: number
}

async function serversOf(browser: Browser): Promise<readonly ServerRow[]> {
  return ((await browser.api('GET', 'server')) ?? []) as ServerRow[]
}

async function rename(browser: Browser, id: number, name: string): Promise<void> {
  await browser.api('PATCH', `server/${id}`, { name })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + longestMs
  while (!(await holds())) {
    if (Date.now() > endsAt) throw new Error('the stage was not set in time')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

function shell(command: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ended> {
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ stdout, stderr, code }))
  })
}
