// Brings node_modules in step with package-lock.json; does nothing when it is. Plain node, no dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.quarterdeck-install`

/** Ends the script with one clear line and exit code 2. */
export function refuse(line) {
  process.stderr.write(`error: ${line}\n`)
  process.exit(2)
}

/** Environment for npm: a compile of better-sqlite3 takes the headers that are installed with this Node. */
function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath))
  const hasHeaders = existsSync(join(prefix, 'include/node/node.h')) && !process.env.npm_config_nodedir
  return { ...process.env, ...(hasHeaders && { npm_config_nodedir: prefix }), npm_config_loglevel: 'error' }
}

export function install() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    refuse(`Quarterdeck needs Node 20.19 or newer, this is ${process.versions.node}`)
  const lock = createHash('sha256')
    .update(readFileSync(`${root}package-lock.json`))
    .update(process.versions.modules)
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  process.stderr.write('Installing dependencies (about two minutes the first time, more if SQLite must be compiled)…\n')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: npmEnvironment(),
  })
  if (status !== 0) {
    refuse(
      'npm ci failed, see above. If it was better-sqlite3: install a compiler with  apt-get install -y python3 make g++ libnode-dev  and start again',
    )
  }
  writeFileSync(stamp, lock)
}
