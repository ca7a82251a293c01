// npm run release -- VERSION: sets the version everywhere, builds all packages with a bill of materials and checksums below packages-built/VERSION, commits and tags. Pushes nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { released } from './changelog.mjs'
import { refuse, root } from './install.mjs'

const version = process.argv[2] ?? ''
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 })

if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
  refuse(`usage: npm run release -- VERSION, such as 0.2.0, not “${version}”`)
if (run('git', 'status', '--porcelain') !== '') refuse('commit or remove your changes first; see git status')
if (run('git', 'tag', '--list', `v${version}`) !== '') refuse(`there is a tag v${version} already`)
// Without it, hosts that trust their server with no code could never update.
if (!process.env.QD_RELEASE_KEY)
  refuse('QD_RELEASE_KEY must name the PEM file of the key that signs the agents of a release')
const changelog = join(root, 'CHANGELOG.md')
const next = released(readFileSync(changelog, 'utf8'), version, new Date().toISOString().slice(0, 10))
if (next === null) refuse('CHANGELOG.md has nothing below [Unreleased]: write what changes for users first')
const target = join(root, 'packages-built', version)
if (existsSync(target)) refuse(`${target} exists: remove it first`)

run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts')
writeFileSync(changelog, next)
mkdirSync(target, { recursive: true })
writeFileSync(
  join(target, `quarterdeck-${version}.cdx.json`),
  run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'),
)
process.stdout.write(run(process.execPath, 'scripts/pack.mjs', target, '--single'))
// The checksums of a package run don’t name the bill of materials.
const { writeChecksums } = await import('./checksums.mjs')
const files = readdirSync(target).filter((name) => !name.startsWith('SHA256SUMS'))
writeChecksums(
  target,
  files.map((name) => join(target, name)),
)
run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Quarterdeck ${version}`)
process.stdout.write(
  `v${version} is tagged, its files are in ${target}. Nothing is published: git push --follow-tags\n`,
)
