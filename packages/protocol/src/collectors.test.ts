import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

test('as a command, the script is the same, and `timeout` ends it; a host without that runs nothing', () => {
  const command = collectCommandOf('units')
  const programs = { systemctl, sh: 'exec /bin/sh "$@"' }
  const read = collect(programs)
  expect(collect(programs, command)).toBe('#@ unsupported\n')
  expect(collect({ ...programs, timeout: 'echo "$1 $2 $3 $4 $5"; shift 3; exec "$@"' }, command)).toBe(
    `-s KILL 10 sh -c\n${read}`,
  )
})
