// npm run pack [-- FOLDER] [--single]: npm packages of qd, server and agent, Debian packages where dpkg-deb is, with --single also the single files; default folder: packages-built.
// SHA256SUMS beside them names the files of this run; it is signed if QD_RELEASE_KEY is set.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { writeChecksums } from './checksums.mjs'
import { debianPackages } from './debian/packages.mjs'
import { root } from './install.mjs'
import { packSingleFiles } from './single.mjs'
import { programs, stage } from './stage.mjs'

const { values, positionals } = parseArgs({ options: { single: { type: 'boolean' } }, allowPositionals: true })
await build()
const target = resolve(positionals[0] ?? join(root, 'packages-built'))
mkdirSync(target, { recursive: true })
const files = []
function packed(file) {
  files.push(file)
  process.stdout.write(`${file}\n`)
}
const work = mkdtempSync(join(tmpdir(), 'qd-pack-'))
try {
  for (const program of Object.keys(programs)) {
    const folder = join(work, program)
    stage(program, folder)
    const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: folder,
      encoding: 'utf8',
    })
    packed(join(target, name.trim()))
  }
  const hasDebian = spawnSync('dpkg-deb', ['--version']).status === 0
  for (const file of hasDebian ? debianPackages(work, target) : []) packed(file)
  if (values.single) for await (const file of packSingleFiles(work, target)) packed(file)
  writeChecksums(target, files)
} finally {
  rmSync(work, { recursive: true, force: true })
}
