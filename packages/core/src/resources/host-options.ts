/** How a unit stands, in systemd's words. */
export const UnitState = {
  active: 'active',
  activating: 'activating',
  reloading: 'reloading',
  deactivating: 'deactivating',
  maintenance: 'maintenance',
  failed: 'failed',
  inactive: 'inactive',
} as const
export type UnitState = (typeof UnitState)[keyof typeof UnitState]

/** Kinds of unit that are read. */
export const UnitType = { service: 'service', socket: 'socket', timer: 'timer' } as const
export type UnitType = (typeof UnitType)[keyof typeof UnitType]

/** What manages the units of a host. */
export const UnitManager = { systemd: 'systemd', openrc: 'openrc' } as const

/** Programs that run containers; a host may have both. */
export const ContainerEngine = { docker: 'docker', podman: 'podman' } as const
export type ContainerEngine = (typeof ContainerEngine)[keyof typeof ContainerEngine]

/** How a container stands, in docker’s words; a running one by its health check, if it has one. */
export const ContainerState = {
  running: 'running',
  starting: 'starting',
  unhealthy: 'unhealthy',
  restarting: 'restarting',
  dead: 'dead',
  paused: 'paused',
  stopping: 'stopping',
  removing: 'removing',
  created: 'created',
  exited: 'exited',
} as const
export type ContainerState = (typeof ContainerState)[keyof typeof ContainerState]

/** What a health check says; `none` without one. */
export const ContainerHealth = {
  healthy: 'healthy',
  starting: 'starting',
  unhealthy: 'unhealthy',
  none: 'none',
} as const
export type ContainerHealth = (typeof ContainerHealth)[keyof typeof ContainerHealth]

/** What a process does, in words for the letters of `ps`. */
export const ProcessState = {
  running: 'running',
  sleeping: 'sleeping',
  blocked: 'blocked',
  idle: 'idle',
  stopped: 'stopped',
  zombie: 'zombie',
} as const
export type ProcessState = (typeof ProcessState)[keyof typeof ProcessState]

/** Protocols of sockets that are read. */
export const Protocol = { tcp: 'tcp', udp: 'udp' } as const
export type Protocol = (typeof Protocol)[keyof typeof Protocol]

/** Whether a file system answers. `silent`: it hangs. `failed`: it said why it can’t. */
export const FilesystemState = { ok: 'ok', failed: 'failed', silent: 'silent' } as const
export type FilesystemState = (typeof FilesystemState)[keyof typeof FilesystemState]

/** What a drive says of itself; `unknown` if nothing, or nothing that is understood. */
export const DriveHealth = { passed: 'passed', failing: 'failing', denied: 'denied', unknown: 'unknown' } as const
export type DriveHealth = (typeof DriveHealth)[keyof typeof DriveHealth]

/** Whether a drive rotates. */
export const DriveMedia = { hdd: 'hdd', ssd: 'ssd', unknown: 'unknown' } as const
export type DriveMedia = (typeof DriveMedia)[keyof typeof DriveMedia]

/** What a record asks for. The last comes first in lists. */
export const PackageState = { update: 'update', security: 'security', reboot: 'reboot' } as const

/** What manages the packages of a host. */
export const PackageManager = { apt: 'apt', dnf: 'dnf', apk: 'apk', pacman: 'pacman', zypper: 'zypper' } as const
export type PackageManager = (typeof PackageManager)[keyof typeof PackageManager]

/** No manager takes such a name for an option, a pattern, a version, or, as apt does with `name-`, for something else to do. */
export const packageName = /^[a-z0-9](?:[\w.+-]{0,198}[a-z0-9_.+])?(?::[a-z0-9]+)?$/i

/** The engine and the name that it knows; null for what is no `ref` of a container. */
export function containerParts(ref: string): { engine: string; name: string } | null {
  const [, engine, name] = /^(docker|podman)\/(.+)$/s.exec(ref) ?? []
  return engine && name ? { engine, name } : null
}
