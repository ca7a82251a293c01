import * as z from 'zod'
import { defineResource, lazy } from '../define/index.ts'
import { fullInLimits, notFillingS } from './growth.ts'
import { hostAdded, hostDefaults, hostKinds } from './host.ts'
import { DriveHealth, DriveMedia, FilesystemState } from './host-options.ts'

const number = z.number().nullable()

const added = lazy(() => ({
  ...hostAdded(),
  device: z.string(),
  type: z.string(),
  state: z.enum(FilesystemState),
  used: number,
  used_bytes: number,
  available: number,
  size: number,
  full_in: number,
  inodes: number,
  read_only: z.boolean(),
  drives: z.array(z.string()),
  model: z.string(),
  drive_size: number,
  media: z.enum(DriveMedia),
  health: z.enum(DriveHealth),
}))

const limits = { warn: 85, bad: 95 }

/** A mounted file system of a host, with the drives below it. */
export const filesystem = defineResource({
  ...hostDefaults('filesystem'),
  name: 'filesystem',
  icon: 'folder',
  go: 'g f',
  family: 'host',
  aliases: ['disks', 'mounts', 'df', 'partitions', 'volumes', 'drives', 'smart'],
  added,
  fields: {
    ...hostKinds,
    used: { kind: 'percent', show: 'always', limits, short: true, absentWhen: { used: { is: null } } },
    used_bytes: { kind: 'bytes', short: true, absentWhen: { used_bytes: { is: null } } },
    available: { kind: 'bytes', aliases: ['avail', 'free'], short: true, absentWhen: { available: { is: null } } },
    size: { kind: 'bytes', absentWhen: { size: { is: null } } },
    full_in: {
      kind: 'duration',
      show: 'always',
      limits: fullInLimits,
      short: true,
      absentWhen: { full_in: { is: notFillingS } },
      withheldWhen: { full_in: { is: null } },
    },
    inodes: { kind: 'percent', limits, short: true, absentWhen: { inodes: { is: null } } },
    state: {
      kind: 'choice',
      show: 'always',
      options: FilesystemState,
      tones: { ok: 'plain', failed: 'warn', silent: 'bad' },
      words: true,
    },
    type: { kind: 'text' },
    device: { kind: 'text', show: 'wide', short: true },
    read_only: { kind: 'flag', show: 'wide', aliases: ['ro'], short: true },
    drives: { kind: 'list', show: 'wide' },
    model: { kind: 'text', show: 'detail' },
    drive_size: { kind: 'bytes', show: 'detail', absentWhen: { drive_size: { is: null } } },
    media: { kind: 'choice', show: 'detail', options: DriveMedia, absentWhen: { media: { is: DriveMedia.unknown } } },
    health: {
      kind: 'choice',
      show: 'wide',
      options: DriveHealth,
      tones: { passed: 'ok', failing: 'bad', denied: 'muted', unknown: 'muted' },
      aliases: ['smart'],
      help: true,
      short: true,
      absentWhen: { health: { is: DriveHealth.unknown } },
    },
  },
  columns: [
    'name',
    'used',
    'full_in',
    'server_id',
    'available',
    'size',
    'used_bytes',
    'inodes',
    'state',
    'type',
    'health',
    'device',
    'read_only',
    'drives',
    'model',
    'drive_size',
    'media',
  ],
  sort: { field: 'used', order: 'desc' },
  search: ['device', 'type', 'model', 'server_id'],
  facet: 'state',
  host: {
    collector: 'filesystems',
    parser: async () => (await import('./parse-filesystems.ts')).parseFilesystems,
    example: '/var',
    shownMs: 15_000,
    onServer: ['used', 'size', 'full_in'],
    watchedMs: 60_000,
    commands: async () => () => null,
  },
})
