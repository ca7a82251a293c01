import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const programs = {
  podman: '/usr/bin/podman',
  crun: '/usr/bin/crun',
  busybox: '/bin/busybox',
  nsenter: '/usr/bin/nsenter',
}

/** Why this machine can run no podman of a test's own; null if it can. */
export function whyNoPodman(): string | null {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = Object.entries(programs).find(([, path]) => !existsSync(path))
  if (missing) return `${missing[0]} is not installed`
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return null
  } catch (error) {
    return `no mount namespace of its own: ${(error as Error).message.split('\n')[0]}`
  }
}

/** A podman with storage and a name space for mounts of its own, and an image of busybox. */
export interface Podman {
  /** Has `podman`, which is this one. */
  readonly bin: string
  /** Runs podman; returns what it prints. Errors: throws if it fails. */
  run(...args: string[]): string
  /** Starts a service that speaks docker’s protocol on a socket, for containers of its own. Returns the socket’s address. */
  serveDocker(): Promise<string>
  close(): Promise<void>
}

export const busyboxImage = 'localhost/busybox:qd'
/** What a program needs besides itself: `ldd` names it, and fails for one that needs nothing. */
function librariesOf(path: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' })
  return [...stdout.matchAll(/(\/\S+) \(/g)].map(([, library]) => library!)
}

const applets = ['sh', 'sleep', 'cat', 'echo', 'ls', 'ps', 'id', 'true', 'false', 'stty']

/** Starts one in this folder. */
export async function startPodman(folder: string): Promise<Podman> {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  // A host with both versions of cgroups is none that crun takes; and there may be nothing to write where podman makes its groups.
  const prepare = 'umount /sys/fs/cgroup/unified; mount -o remount,rw /sys/fs/cgroup; echo ready; exec sleep 100000'
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', prepare], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(holder.stdout!, 'data')
  const write = (name: string) => {
    const configuration = {
      storage: `[storage]\ndriver = "vfs"\nrunroot = "${folder}/${name}/run"\ngraphroot = "${folder}/${name}/graph"\n`,
      containers: [
        '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "crun"',
        '[containers]\nnetns = "none"\nlog_driver = "k8s-file"\ndefault_ulimits = ["nofile=1024:1024", "nproc=512:512"]\n',
      ].join('\n'),
    }
    mkdirSync(join(folder, name), { recursive: true })
    for (const [file, text] of Object.entries(configuration)) writeFileSync(join(folder, name, `${file}.conf`), text)
    return [
      'nsenter',
      `--target=${holder.pid}`,
      '--mount',
      'env',
      `CONTAINERS_STORAGE_CONF=${folder}/${name}/storage.conf`,
      `CONTAINERS_CONF=${folder}/${name}/containers.conf`,
      programs.podman,
    ] as const
  }
  const [file, ...words] = write('podman')
  const call = (args: readonly string[], own: readonly string[] = words) =>
    execFileSync(file, [...own, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  writeFileSync(join(bin, 'podman'), `#!/bin/sh\nexec ${file} ${words.join(' ')} "$@"\n`, { mode: 0o755 })

  const root = join(folder, 'root')
  mkdirSync(join(root, 'bin'), { recursive: true })
  copyFileSync(programs.busybox, join(root, 'bin/busybox'))
  for (const library of librariesOf(programs.busybox)) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  for (const name of applets) symlinkSync('busybox', join(root, 'bin', name))
  writeFileSync(join(root, 'inside'), 'this is inside\n')
  const image = join(folder, 'image.tar')
  execFileSync('tar', ['-C', root, '-cf', image, '.'])
  call(['import', image, busyboxImage])

  let service: ChildProcess | null = null
  let docker: readonly string[] = []
  return {
    bin,
    run: (...args) => call(args),
    async serveDocker() {
      docker = write('docker').slice(1)
      call(['import', image, busyboxImage], docker)
      const socket = `unix://${folder}/docker.sock`
      service = spawn(file, [...docker, 'system', 'service', '--time=0', socket], { stdio: 'ignore' })
      while (!existsSync(join(folder, 'docker.sock'))) await new Promise((resolve) => setTimeout(resolve, 20))
      return socket
    },
    async close() {
      for (const own of [words, docker]) if (own.length > 0) call(['rm', '--force', '--all', '--time=0'], own)
      service?.kill()
      holder.kill('SIGKILL')
      await once(holder, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
