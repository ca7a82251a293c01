import { calmSystems } from '@qd/protocol/file-systems'
import { type ParsedRows, plainText } from '../define/index.ts'
import { DriveHealth, DriveMedia, FilesystemState } from './host-options.ts'
import { boundedRows, cut, sectionsOf } from './parse-collected.ts'

interface Mount {
  number: string
  device: string
  root: string
  path: string
  isReadOnly: boolean
  type: string
  source: string
}

interface Drive {
  name: string
  kernelName: string
  device: string
  /** Kernel names. */
  parents: Set<string>
  type: string
  size: number | null
  media: DriveMedia
  model: string
}

const longest = { text: 200, type: 32 }
const maxDrives = 1_000
/** A drive with several parents has several lines. */
const maxDriveLines = 5_000

/** Reads what the collector `filesystems` printed. Of several mounts of one file system, the one at its root with the shortest path counts. */
export function parseFilesystems(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const listed = sections.get('mounts')
  if (listed === undefined) return { state: sections.has('unsupported') ? 'not supported' : 'failed' }
  const mounts = readMounts(listed)
  const spaces = readSpaces(mounts, `${sections.get('calm') ?? ''}\n`, sections.get('answers') ?? '')
  const health = readHealth(sections.get('answers') ?? '')
  const drivesOf = drivesByMount(readDrives(sections.get('drives') ?? ''), health)
  return boundedRows(rows())

  function* rows() {
    for (const mount of distinct(mounts)) {
      const space = spaces.get(mount.number)
      const isEmpty = typeof space === 'object' && space.size === 0
      // Full from the start, and nothing can be added.
      if (isEmpty || (mount.type === 'tmpfs' && mount.isReadOnly)) continue
      yield {
        name: plainText(mount.path),
        device: cut(mount.source, longest.text),
        type: cut(mount.type, longest.type),
        read_only: mount.isReadOnly,
        ...(typeof space === 'object'
          ? { state: FilesystemState.ok, ...space }
          : { state: space ?? stateWithoutAnswer(mount), ...unknownSpace }),
        ...drivesOf(mount),
      }
    }
  }
}

/** Blanks, line ends, and backslashes are octal. */
const fromOctal = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

function readMounts(text: string): Mount[] {
  const mounts: Mount[] = []
  for (const line of text.split('\n')) {
    const [number, device, root, at, access, whole, type, source = ''] = line.split(' ')
    if (!number || !device || !root || !at || !type) continue
    const path = fromOctal(at)
    const isReadOnly = access === 'ro' || whole === 'ro'
    mounts.push({ number, device, root, path, isReadOnly, type, source: fromOctal(source) })
  }
  return mounts
}

function distinct(mounts: readonly Mount[]): Iterable<Mount> {
  // The last mount at a path hides the others.
  const visible = new Map(mounts.map((mount) => [mount.path, mount]))
  const byDevice = new Map<string, Mount>()
  for (const mount of visible.values()) {
    const other = byDevice.get(mount.device)
    if (!other || rank(mount) < rank(other)) byDevice.set(mount.device, mount)
  }
  return byDevice.values()
}

const rank = ({ root, path }: Mount) => (root === '/' ? 0 : 1_000_000) + path.length

const unknownSpace = { used: null, used_bytes: null, available: null, size: null, inodes: null }
type Space = Readonly<Record<keyof typeof unknownSpace, number | null>>

/** A local file system always answers, if the agent may ask; another one without an answer hangs. */
const stateWithoutAnswer = ({ type }: Mount) =>
  calmSystems.includes(type) ? FilesystemState.failed : FilesystemState.silent

/** Bounded, as it may be tried at one place for each mount. */
const numbers = /(\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20})(?= |$)/y

function readSpaces(mounts: readonly Mount[], calm: string, answers: string) {
  const spaces = new Map<string, Space | FilesystemState>()
  // In the order of the mounts. A path may contain line ends, and one that can’t be asked is missing.
  let at = 0
  for (const { number, path } of mounts) {
    const space = spaceOf(calm, at)
    if (!space || !calm.startsWith(` ${path}\n`, numbers.lastIndex)) continue
    spaces.set(number, space)
    at = numbers.lastIndex + path.length + 2
  }
  for (const line of answers.split('\n')) {
    const [, number, said = ''] = /^(\d+) (.+)$/.exec(line) ?? []
    if (number === undefined || spaces.has(number)) continue
    const space = said === FilesystemState.failed ? FilesystemState.failed : spaceOf(said)
    if (space) spaces.set(number, space)
  }
  return spaces
}

/** As `df` counts: what only root may still use is neither used nor available. */
function spaceOf(text: string, at = 0): Space | null {
  numbers.lastIndex = at
  const found = numbers.exec(text)?.slice(1).map(Number)
  if (!found?.every(Number.isSafeInteger)) return null
  const [block, blocks, free, available, inodes, freeInodes] = found as [number, number, number, number, number, number]
  const used = Math.max(0, blocks - free)
  const percent = (part: number, whole: number) => (whole > 0 ? Math.min(100, (100 * part) / whole) : null)
  return {
    used: percent(used, used + available),
    used_bytes: used * block,
    available: available * block,
    size: blocks * block,
    inodes: percent(Math.max(0, inodes - freeInodes), inodes),
  }
}

/** Reads `lsblk -P`. A device with several parents, such as a RAID, has a line for each. */
function readDrives(text: string): Drive[] {
  const drives = new Map<string, Drive>()
  for (const line of text.split('\n', maxDriveLines)) {
    const values = new Map<string, string>()
    for (const [, key = '', value = ''] of line.matchAll(/(?:^| )([A-Z][A-Z:_-]*)="([^"]*)"/g))
      values.set(
        key.replace(/\W/g, '_'),
        value.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => charOf(hex)),
      )
    const value = (key: string) => values.get(key) ?? ''
    const kernelName = value('KNAME')
    if (kernelName === '' || (drives.size >= maxDrives && !drives.has(kernelName))) continue
    const size = Number(value('SIZE'))
    const drive = drives.get(kernelName) ?? {
      name: value('NAME'),
      kernelName,
      device: value('MAJ_MIN').trim(),
      parents: new Set(),
      type: value('TYPE'),
      size: Number.isSafeInteger(size) && size > 0 ? size : null,
      media: mediaOf(value('ROTA')),
      model: cut(value('MODEL').trim(), longest.text),
    }
    if (value('PKNAME') !== '') drive.parents.add(value('PKNAME'))
    drives.set(kernelName, drive)
  }
  return [...drives.values()]
}

const mediaOf = (rotates: string): DriveMedia => (rotates === '1' ? 'hdd' : rotates === '0' ? 'ssd' : 'unknown')

const charOf = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16))

/** What the drives below a mount are. btrfs and some roots have a device number of their own, but name a device. */
function drivesByMount(drives: readonly Drive[], health: ReadonlyMap<string, DriveHealth>) {
  const byDevice = firstBy(drives, ({ device }) => [device])
  const byName = firstBy(drives, ({ name, kernelName }) => [name, kernelName])
  const byKernelName = new Map(drives.map((drive) => [drive.kernelName, drive]))
  const known = new Map<Drive | undefined, ReturnType<typeof aboutDrives>>()
  return ({ device, source }: Mount) => {
    const called = source.startsWith('/dev/') ? source.slice(source.lastIndexOf('/') + 1) : ''
    const first = byDevice.get(device) ?? (called === '' ? undefined : byName.get(called))
    const about = known.get(first) ?? aboutDrives(first ? disksBelow(first, byKernelName) : [], health)
    known.set(first, about)
    return about
  }
}

function firstBy(drives: readonly Drive[], keysOf: (drive: Drive) => readonly string[]): ReadonlyMap<string, Drive> {
  const first = new Map<string, Drive>()
  for (const drive of drives) for (const key of keysOf(drive)) if (!first.has(key)) first.set(key, drive)
  return first
}

function disksBelow(first: Drive, byKernelName: ReadonlyMap<string, Drive>): Drive[] {
  const seen = new Set([first])
  // A set that grows while it is iterated.
  for (const { parents } of seen)
    for (const parent of parents) {
      const drive = byKernelName.get(parent)
      if (drive) seen.add(drive)
    }
  return [...seen]
    .filter(({ type, parents }) => type === 'disk' && parents.size === 0)
    .sort((a, b) => a.kernelName.localeCompare(b.kernelName, 'en'))
}

/** What `smartctl -H` said of each drive. The words of ATA and NVMe differ from those of SCSI. */
function readHealth(text: string): ReadonlyMap<string, DriveHealth> {
  const health = new Map<string, DriveHealth>()
  for (const [, name = '', said = ''] of text.matchAll(/^drive (\S+) (.*)$/gm)) {
    const [, verdict = ''] = /(?:result|health status): *(\w+)/i.exec(said) ?? []
    const isDenied = /denied|not permitted/i.test(said)
    const isPassed = /^(passed|ok)$/i.test(verdict)
    health.set(name, isPassed ? 'passed' : verdict !== '' ? 'failing' : isDenied ? 'denied' : 'unknown')
  }
  return health
}

const worstFirst: readonly DriveHealth[] = ['failing', 'denied', 'unknown', 'passed']

function aboutDrives(drives: readonly Drive[], health: ReadonlyMap<string, DriveHealth>) {
  const said = drives.map((drive) => health.get(drive.kernelName) ?? DriveHealth.unknown)
  const [first] = drives
  return {
    drives: drives.slice(0, 64).map(({ kernelName }) => cut(kernelName, longest.type)),
    model: [...new Set(drives.map(({ model }) => model))].filter(Boolean).join(', ').slice(0, longest.text),
    drive_size: first ? drives.reduce((sum, { size }) => sum + (size ?? 0), 0) : null,
    media: drives.find(({ media }) => media === DriveMedia.hdd)?.media ?? first?.media ?? DriveMedia.unknown,
    health: worstFirst.find((word) => said.includes(word)) ?? DriveHealth.unknown,
  }
}
