// Single files of qd and the agent, compiled by Bun: npm run pack -- --single. Bun for each target comes from npm, pinned by scripts/single/package-lock.json.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleForSingleFile } from './build.mjs'
import { root } from './install.mjs'
import { thirdPartyNotices } from './notices.mjs'
import { version } from './stage.mjs'

/** The package of Bun for each target. On x64 it is the build for CPUs without AVX2, as virtual machines often have. */
const linux = {
  'linux-x64': 'linux-x64-baseline',
  'linux-x64-musl': 'linux-x64-musl-baseline',
  'linux-arm64': 'linux-aarch64',
  'linux-arm64-musl': 'linux-aarch64-musl',
}
const elsewhere = {
  'macos-x64': 'darwin-x64',
  'macos-arm64': 'darwin-aarch64',
  'windows-x64': 'windows-x64-baseline',
  'windows-arm64': 'windows-aarch64',
}
const bunOf = { ...linux, ...elsewhere }

/** The programs, and the targets that each is compiled for. The agent of other systems is the Nezha one. */
export const singleFiles = {
  qd: { app: 'apps/tui', targets: Object.keys(bunOf) },
  'quarterdeck-agent': { app: 'apps/agent', targets: Object.keys(linux) },
}

/** The target of this machine. */
export const ownTarget = `${{ darwin: 'macos', win32: 'windows' }[process.platform] ?? process.platform}-${process.arch}`

/** Bun for a target, fetched at the first call. Errors: throws if it can’t be fetched or isn’t what the lock file names. */
function fetchBun(target) {
  const name = `@oven/bun-${bunOf[target]}`
  const lock = JSON.parse(readFileSync(join(root, 'scripts/single/package-lock.json'), 'utf8'))
  const { version: bun, integrity } = lock.packages[`node_modules/${name}`]
  const cache = join(root, 'node_modules/.cache/single-files')
  const folder = join(cache, `${bunOf[target]}-${bun}`)
  const file = join(folder, 'package/bin', target.startsWith('windows') ? 'bun.exe' : 'bun')
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    const packed = ['pack', '--loglevel=error', '--pack-destination', work, `${name}@${bun}`]
    const archive = join(work, execFileSync('npm', packed, { cwd: work, encoding: 'utf8' }).trim())
    const [kind, expected] = integrity.split(/-(.*)/s)
    if (createHash(kind).update(readFileSync(archive)).digest('base64') !== expected)
      throw new Error(`${name}@${bun} isn’t the package in scripts/single/package-lock.json: its ${kind} differs`)
    execFileSync('tar', ['-xzf', archive, '-C', work])
    rmSync(archive)
    chmodSync(join(work, 'package/bin', file.endsWith('.exe') ? 'bun.exe' : 'bun'), 0o755)
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
  } catch (error) {
    rmSync(work, { recursive: true, force: true })
    throw error
  }
  return file
}

/** Compiles a program for a target into a folder. Returns the file. */
export async function singleFile(program, target, folder) {
  const bun = fetchBun(target)
  const work = mkdtempSync(join(tmpdir(), 'qd-single-'))
  try {
    const bundle = join(work, `${program}.mjs`)
    await bundleForSingleFile(singleFiles[program].app, bundle)
    const file = join(folder, target.startsWith('windows') ? `${program}.exe` : program)
    // Settings in files of the folder that a program is called from must not reach it.
    const closed = ['dotenv', 'bunfig'].map((what) => `--no-compile-autoload-${what}`)
    const options = ['--compile', '--bytecode', '--format=esm', `--target=bun-${bunOf[target]}`, ...closed]
    execFileSync(
      fetchBun(ownTarget),
      ['build', ...options, `--compile-executable-path=${bun}`, `--outfile=${file}`, bundle],
      { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    return file
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What the notices of modules don’t name: the runtime in each file. */
const aboutBun = `This file contains Bun (MIT, https://github.com/oven-sh/bun), and with it JavaScriptCore (LGPL-2.1).
The licenses of what Bun contains, and its source, are at https://bun.com/docs/project/license.

`

/** Makes an archive of each single file, with its licenses. Yields the archives. */
export async function* packSingleFiles(work, target) {
  for (const [program, { targets }] of Object.entries(singleFiles))
    for (const one of targets) {
      const folder = join(work, `${program}-${version}-${one}`)
      mkdirSync(folder)
      await singleFile(program, one, folder)
      for (const paper of ['LICENSE', 'NOTICE']) cpSync(join(root, paper), join(folder, paper))
      writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), aboutBun + thirdPartyNotices())
      const archive = join(target, `${program}-${version}-${one}.tar.gz`)
      execFileSync('tar', ['-czf', archive, '-C', folder, '.'])
      rmSync(folder, { recursive: true })
      yield archive
    }
}
