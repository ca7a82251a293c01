// npm run pack [-- FOLDER]: npm packages of qd, server and agent, and Debian packages where dpkg-deb is; default folder: packages-built.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { debianPackages } from './debian/packages.mjs'
import { root } from './install.mjs'
import { programs, stage } from './stage.mjs'

await build()
const target = resolve(process.argv[2] ?? join(root, 'packages-built'))
mkdirSync(target, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'qd-pack-'))
try {
  for (const program of Object.keys(programs)) {
    const folder = join(work, program)
    stage(program, folder)
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: folder,
      encoding: 'utf8',
    })
    process.stdout.write(`${join(target, packed.trim())}\n`)
  }
  const hasDebian = spawnSync('dpkg-deb', ['--version']).status === 0
  for (const file of hasDebian ? debianPackages(work, target) : []) process.stdout.write(`${file}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
