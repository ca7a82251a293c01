import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectCommandOf, scriptOf } from './collectors.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-collectors-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A host that has only these programs; each is a shell script. */
function collect(programs: Readonly<Record<string, string>>, command = scriptOf('units')): string {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return execFileSync('/bin/sh', ['-c', command], { env: { PATH: folder }, encoding: 'utf8', stdio: 'pipe' })
}

const systemctl = `case "$1:$2" in
show:--property=Version) echo Version=252 ;;
show:*) printf 'Id=a.service\\nLC=%s TZ=%s\\n' "$LC_ALL" "$TZ" ;;
esac
echo to stderr >&2`

test('units of systemd: properties, in English and UTC, without stderr', () => {
  expect(collect({ systemctl, 'rc-status': 'echo never' })).toBe('#@ systemctl\nId=a.service\nLC=C TZ=UTC\n')
})

test('a host whose systemctl has no systemd behind it is read by OpenRC', () => {
  const broken = 'echo "System has not been booted with systemd" >&2; exit 1'
  expect(collect({ systemctl: broken, 'rc-status': 'echo "$*"' })).toBe('#@ openrc\n--all --format ini\n')
})

test('a host with neither says so', () => {
  expect(collect({})).toBe('#@ unsupported\n')
})

test('a script has no input, and succeeds whatever its programs say', () => {
  expect(collect({ 'rc-status': 'read -r line; exit 3' })).toBe('#@ openrc\n')
})

test('a script and what it starts have low priority', () => {
  const nice = '/usr/bin/nice'
  const programs = { renice: 'exec /usr/bin/renice "$@"', 'rc-status': `exec ${nice}` }
  expect(collect(programs)).toMatch(/^#@ openrc\n1\d\n$/)
})

test('as a command, the script is the same, and `timeout` ends it; a host without that runs nothing', () => {
  const command = collectCommandOf('units')
  const programs = { systemctl, sh: 'exec /bin/sh "$@"' }
  const read = collect(programs)
  expect(collect(programs, command)).toBe('#@ unsupported\n')
  expect(collect({ ...programs, timeout: 'echo "$1 $2 $3 $4 $5"; shift 3; exec "$@"' }, command)).toBe(
    `-s KILL 10 sh -c\n${read}`,
  )
})

describe('containers', () => {
  const script = scriptOf('containers')
  const system = { head: 'exec /usr/bin/head "$@"', grep: 'exec /bin/grep "$@"', cat: 'exec /bin/cat "$@"' }
  const timeout = 'shift 3; exec "$@"'
  const xargs = 'exec /usr/bin/xargs "$@"'
  const id = 'a'.repeat(64)
  const docker = `case "$1" in ps) echo 'WARNING: a'; echo ${id} ;; inspect) echo "$1 $4" ;; stats) echo "$1 $2" ;; esac`

  test('of docker and podman, each with stats beside its list', () => {
    const podman = 'echo "$1 $2"'
    expect(collect({ ...system, timeout, xargs, docker, podman }, script)).toBe(
      `#@ podman\nps --all\n#@ podman-stats\nstats --no-stream\n#@ docker\ninspect ${id}\n#@ docker-stats\nstats --no-stream\n`,
    )
  })

  test('what an engine says when it fails; a docker that is podman in disguise is asked once', () => {
    const podman = 'echo "$1 failed" >&2; exit 125'
    const said = collect({ ...system, timeout, docker: 'exec podman "$@"', podman }, script)
    expect(said).toBe('#@ podman-error\nps failed\n#@ podman-stats\n\n')
  })

  test('an engine that hangs is said to be, and the other one is read', () => {
    const hung = 'exit 137'
    const said = collect({ ...system, timeout, docker: hung, podman: 'echo "$1"' }, script)
    expect(said).toContain('#@ docker-error\ntimed out\n')
    expect(said).toContain('#@ podman\nps\n')
  })

  test('the real timeout ends what hangs, lists and stats, without waiting for it', () => {
    const hangs = {
      docker: 'exec /bin/sleep 1000',
      podman: '[ "$1" = ps ] && echo listed && exit; exec /bin/sleep 1000',
    }
    const said = collect(
      { ...system, ...hangs, timeout: 'exec /usr/bin/timeout "$@"' },
      script.replace(/limit \d/g, 'limit 0.2'),
    )
    expect(said).toBe('#@ podman\nlisted\n#@ podman-stats\n\n#@ docker-error\ntimed out\n#@ docker-stats\n\n')
  })

  test('a host with neither says so', () => {
    expect(collect(system, script)).toBe('#@ unsupported\n')
  })
})

const real = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `exec ${name === 'uname' ? '/bin' : '/usr/bin'}/${name} "$@"`]))
const tools = real('cat', 'head', 'sed', 'sort', 'stat', 'uname')
const packagesOf = (programs: Readonly<Record<string, string>>) =>
  collect({ ...tools, ...programs }, scriptOf('packages'))

test('updates of each manager are listed without refreshing its lists', () => {
  const dnf = 'echo "dnf $*"; [ "$3" != check-update ] || exit 100'
  const restart = "echo '  * kernel'; exit 1"
  expect(packagesOf({ dnf, rpm: 'echo rpm', 'needs-restarting': restart })).toMatch(
    /^#@ facts\n(?:reboot\n(?:why .*\n)*)?reboot\nwhy kernel\n(?:lists \d+\n)?#@ dnf\ndnf -q -C check-update\n#@ installed\nrpm\n#@ security\ndnf -q -C updateinfo list --security\n#@ advisories\ndnf -q -C updateinfo list --all\n$/,
  )
})
test.each([
  ['zypper', 'zypper --non-interactive --no-refresh --quiet list-updates'],
  ['pacman', 'pacman -Qu'],
  ['apk', 'apk --no-network version -l <'],
])('%s is asked for its updates alone', (name, line) => {
  expect(packagesOf({ [name]: `echo "${name} $*"` })).toMatch(new RegExp(`\n#@ ${name}\n${line}\n$`))
})

test('a manager that fails says why, and no manager is none', () => {
  expect(packagesOf({})).toMatch(/#@ unsupported\n$/)
  expect(packagesOf({ zypper: 'echo "ZYPP locked" >&2; exit 7' })).toMatch(/#@ zypper\n#@ error\nZYPP locked\n$/)
})

test('file systems need `stat`, and drives are asked for only where `lsblk` is', () => {
  expect(collect({}, scriptOf('filesystems'))).toBe('#@ unsupported\n')
  const mountinfo =
    "[ \"$1\" = /proc/self/mountinfo ] && echo '1 0 8:1 / / rw shared:1 - ext4 /dev/sda1 rw' && echo '2 1 0:5 / /proc rw - proc proc rw'"
  const stat = 'shift 3; echo "$*"'
  const programs = { cat: mountinfo, stat, xargs: 'shift; exec "$@" /', sleep: ':', tr: ':' }
  const read = collect(programs, scriptOf('filesystems'))
  expect(read).toMatch(/^#@ mounts\n1 8:1 \/ \/ rw rw ext4 \/dev\/sda1\n#@ calm\n-- \/\n#@ answers\n$/)
  expect(collect({ ...programs, lsblk: 'echo "$1 $2"' }, scriptOf('filesystems'))).toBe(`${read}#@ drives\n-b -P\n`)
})
