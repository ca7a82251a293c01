import { execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The user that the systemd of a test runs as. */
export const someone = { uid: 65_534, gid: 65_534 }

const systemd = '/usr/lib/systemd/systemd'

const cgroups = (): string | undefined =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, , type]) => type === 'cgroup2')?.[1]

/** Why this machine can run no systemd of a test's own; null if it can. */
export function whyNoSystemd(): string | null {
  if (process.getuid?.() !== 0) return 'needs root'
  if (!existsSync(systemd)) return 'systemd is not installed'
  if (cgroups() === undefined) return 'no cgroup2'
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', '--cgroup', 'setpriv', '--version'], { stdio: 'ignore' })
    const probe = join(cgroups()!, `qd-probe-${process.pid}`)
    mkdirSync(probe)
    rmdirSync(probe)
    return null
  } catch (error) {
    return `no namespaces or cgroups of its own: ${(error as Error).message.split('\n')[0]}`
  }
}

/** A user's systemd in namespaces of its own, on this machine's files and network; /run is empty. */
export interface UserSystemd {
  /** Runs a shell line as that user beside its systemd. */
  run(line: string): Promise<{ code: number | null; output: string }>
  close(): Promise<void>
}

/** Starts one for `someone`, whose home this folder is; it must belong to them. */
export async function startUserSystemd(home: string): Promise<UserSystemd> {
  const { uid, gid } = someone
  const cgroup = join(cgroups()!, `qd-${process.pid}-${Date.now()}`)
  mkdirSync(cgroup)
  const runtime = `/run/user/${uid}`
  const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'env', '-i']
  as.push(`HOME=${home}`, `PATH=${path}`, `XDG_RUNTIME_DIR=${runtime}`)
  const setUp = [
    'mount -t tmpfs tmpfs /run',
    `mkdir -p /run/systemd/system ${runtime}`,
    `chown ${uid}:${gid} ${runtime}`,
    `chmod 700 ${runtime}`,
    'umount -R /sys/fs/cgroup',
    'mount -t cgroup2 none /sys/fs/cgroup',
    `chown -R ${uid}:${gid} /sys/fs/cgroup`,
    `cd '${home}'`,
    // Not in the place of the shell: as the first process it would be a machine's systemd.
    `${as.map((word) => `'${word}'`).join(' ')} ${systemd} --user --log-target=null`,
    'exit 1',
  ]
  const spaces = 'unshare --mount --pid --fork --kill-child --cgroup --ipc --mount-proc'
  const child = spawn(
    'sh',
    ['-c', `echo $$ >'${cgroup}/cgroup.procs'; exec ${spaces} sh -ec "$1"`, 'sh', setUp.join('\n')],
    {
      stdio: 'ignore',
    },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))

  function run(line: string): Promise<{ code: number | null; output: string }> {
    const inside = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    const args = ['--target', inside, '--mount', '--pid', '--cgroup', '--ipc', `--wd=${home}`, ...as, 'sh', '-c', line]
    return new Promise((resolve) => {
      const command = execFile('nsenter', args, (_error, stdout, stderr) =>
        resolve({ code: command.exitCode, output: stdout + stderr }),
      )
    })
  }

  const remove = (folder: string) => {
    for (const name of readdirSync(folder)) if (statSync(join(folder, name)).isDirectory()) remove(join(folder, name))
    rmdirSync(folder)
  }
  return {
    run,
    async close() {
      child.kill('SIGKILL')
      await ended
      // The kernel frees a group a moment after its last process.
      for (let tries = 0; ; tries += 1) {
        try {
          return remove(cgroup)
        } catch (error) {
          if (tries === 100) throw error
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
    },
  }
}

/** Makes a folder and what is below it theirs. */
export const giveTo = (path: string): void => chownSync(path, someone.uid, someone.gid)
