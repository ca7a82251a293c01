import { namedOptions } from '../define/index.ts'

/** How a unit stands, in systemd's words. */
export const UnitState = namedOptions(
  'active',
  'activating',
  'reloading',
  'deactivating',
  'maintenance',
  'failed',
  'inactive',
)
export type UnitState = (typeof UnitState)[keyof typeof UnitState]

/** Kinds of unit that are read. */
export const UnitType = namedOptions('service', 'socket', 'timer')
export type UnitType = (typeof UnitType)[keyof typeof UnitType]

/** What manages the units of a host. */
export const UnitManager = namedOptions('systemd', 'openrc')

/** Programs that run containers; a host may have both. */
export const ContainerEngine = namedOptions('docker', 'podman')
export type ContainerEngine = (typeof ContainerEngine)[keyof typeof ContainerEngine]

/** How a container stands, in docker’s words; a running one by its health check, if it has one. */
export const ContainerState = namedOptions(
  'running',
  'starting',
  'unhealthy',
  'restarting',
  'dead',
  'paused',
  'stopping',
  'removing',
  'created',
  'exited',
)
export type ContainerState = (typeof ContainerState)[keyof typeof ContainerState]

/** What a health check says; `none` without one. */
export const ContainerHealth = namedOptions('healthy', 'starting', 'unhealthy', 'none')
export type ContainerHealth = (typeof ContainerHealth)[keyof typeof ContainerHealth]

/** What a process does, in words for the letters of `ps`. */
export const ProcessState = namedOptions('running', 'sleeping', 'blocked', 'idle', 'stopped', 'zombie')
export type ProcessState = (typeof ProcessState)[keyof typeof ProcessState]

/** Protocols of sockets that are read. */
export const Protocol = namedOptions('tcp', 'udp')
export type Protocol = (typeof Protocol)[keyof typeof Protocol]

/** Whether a file system answers. `silent`: it hangs. `failed`: it said why it can’t. */
export const FilesystemState = namedOptions('ok', 'failed', 'silent')
export type FilesystemState = (typeof FilesystemState)[keyof typeof FilesystemState]

/** What a drive says of itself; `unknown` if nothing, or nothing that is understood. */
export const DriveHealth = namedOptions('passed', 'failing', 'denied', 'unknown')
export type DriveHealth = (typeof DriveHealth)[keyof typeof DriveHealth]

/** Whether a drive rotates. */
export const DriveMedia = namedOptions('hdd', 'ssd', 'unknown')
export type DriveMedia = (typeof DriveMedia)[keyof typeof DriveMedia]

/** What a record asks for. The last comes first in lists. */
export const PackageState = namedOptions('update', 'security', 'reboot')

/** What manages the packages of a host. */
export const PackageManager = namedOptions('apt', 'dnf', 'apk', 'pacman', 'zypper')
export type PackageManager = (typeof PackageManager)[keyof typeof PackageManager]

/** No manager takes such a name for an option, a pattern, a version, or, as apt does with `name-`, for something else to do. */
export const packageName = /^[a-z0-9](?:[\w.+-]{0,198}[a-z0-9_.+])?(?::[a-z0-9]+)?$/i

/** The engine and the name that it knows; null for what is no `ref` of a container. */
export function containerParts(ref: string): { engine: string; name: string } | null {
  const [, engine, name] = /^(docker|podman)\/(.+)$/s.exec(ref) ?? []
  return engine && name ? { engine, name } : null
}
