import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of its own, on an empty folder. */
export interface Postgres {
  /** For `DATABASE_URL`. */
  readonly url: string
  /** Ends it as an administrator's restart does: connections are cut. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL's programs: those of `QD_POSTGRES_BIN`, or the newest; Debian keeps them out of the path, below its version. */
export function folderOfPrograms(): string {
  if (process.env.QD_POSTGRES_BIN) return process.env.QD_POSTGRES_BIN
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')))
  if (!found) throw new Error('these tests need PostgreSQL: npm test installs it; by hand: apt-get install postgresql')
  return found
}

/** PostgreSQL does not run as root. */
function userToRunAs(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

interface PostgresOptions {
  connections?: number
  /** An address to listen on besides 127.0.0.1, for callers of its network. */
  also?: { address: string; network: string } | undefined
}

/** Makes a database cluster and starts it on a free port. */
export async function startPostgres({ connections = 20, also }: PostgresOptions = {}): Promise<Postgres> {
  const programs = folderOfPrograms()
  const user = userToRunAs()
  const folder = mkdtempSync(join(tmpdir(), 'qd-pg-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'qd', '-E', 'UTF8', '--no-sync', '--locale=C'],
    {
      ...user,
      stdio: 'ignore',
      cwd: folder,
    },
  )
  if (also) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${also.network} trust\n`)
  const port = await freePort()
  let child: ChildProcess | null = null

  async function start() {
    const settings = [
      `listen_addresses=${['127.0.0.1', ...(also ? [also.address] : [])].join(',')}`,
      `unix_socket_directories=${folder}`,
      'fsync=off',
      `max_connections=${connections}`,
    ]
    const flags = settings.flatMap((setting) => ['-c', setting])
    const started = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
    })
    child = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/ready to accept (read.only )?connections/.test(said)) resolve()
      })
      started.on('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)))
    })
  }

  async function stop() {
    const running = child
    child = null
    if (running === null) return
    const gone = new Promise((resolve) => running.on('exit', resolve))
    running.kill('SIGINT')
    await gone
  }

  await start()
  return {
    url: `postgres://qd@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
