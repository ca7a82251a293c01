import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files of another machine, below a temporary folder. */
export interface HostTree {
  readonly root: string
  write(path: string, text: string): void
  close(): void
}

const data = fileURLToPath(new URL('../../data/hosts/', import.meta.url))

/** Makes a tree of these files. */
export function makeHostTree(files: Readonly<Record<string, string>>): HostTree {
  const root = mkdtempSync(join(tmpdir(), 'qd-host-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  return { root, write, close: () => rmSync(root, { recursive: true, force: true }) }
}

/** The tree of `tests/data/hosts/NAME.txt`. */
export function makeOddHost(name: string): HostTree {
  const [, ...parts] = readFileSync(join(data, `${name}.txt`), 'utf8').split(/^=== (.+)\n/m)
  const files: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 2) files[parts[at]!] = parts[at + 1]!
  return makeHostTree(files)
}

/** A machine with many disks and interfaces. */
export function makeLargeHost({ disks, interfaces }: { disks: number; interfaces: number }): HostTree {
  const each = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join('')
  const tree = makeHostTree({
    'proc/meminfo': 'MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n',
    'proc/stat': 'cpu  100 0 100 700 100 0 0 0 0 0\nbtime 1700000000\n',
    'proc/uptime': '100.0 100.0\n',
    'proc/loadavg': '1.00 2.00 3.00 1/90 1234\n',
    'proc/net/sockstat': 'TCP: inuse 1 orphan 0 tw 0 alloc 1 mem 1\nUDP: inuse 1 mem 0\n',
    'proc/1/stat': '',
    'proc/net/dev': `Inter-| Receive\n face |bytes\n${each(interfaces, (n) => `eth${n}: 10 1 0 0 0 0 0 0 20 2 0 0 0 0 0 0\n`)}`,
    'proc/self/mounts': each(disks, (n) => `/dev/sd${n} /mnt/disk\\040${n} xfs rw 0 0\n`),
  })
  for (let n = 0; n < interfaces; n += 1) tree.write(`sys/class/net/eth${n}/device/vendor`, '')
  for (let n = 0; n < disks; n += 1) {
    tree.write(`sys/class/hwmon/hwmon${n}/name`, n === disks - 1 ? 'coretemp\n' : 'drivetemp\n')
    tree.write(`sys/class/hwmon/hwmon${n}/temp1_input`, `${30_000 + n}\n`)
  }
  return tree
}
