import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource, root } from '../support/sources.ts'

const read = readSource
const script = (name: string) => import(join(root, 'scripts', name))

test('issue 39.1 every workspace is under Apache-2.0', () => {
  expect(read('LICENSE')).toContain('Apache License\n                           Version 2.0')
  const folders = ['apps', 'packages'].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`))
  for (const folder of ['.', 'tests', ...folders])
    expect([folder, JSON.parse(read(`${folder}/package.json`)).license]).toEqual([folder, 'Apache-2.0'])
})

test('issue 39.1 what packages contain may be shipped, and the notices name each with its license', async () => {
  const { isAllowed, shippedModules, thirdPartyNotices } = await script('notices.mjs')
  const modules = shippedModules() as { id: string; license: string; texts: string[] }[]
  expect(modules.filter(({ license }) => !isAllowed(license))).toEqual([])
  expect([isAllowed('GPL-3.0'), isAllowed('(MIT OR GPL-3.0)'), isAllowed('MIT AND GPL-3.0'), isAllowed()]).toEqual([
    false,
    true,
    false,
    false,
  ])
  const notices = thirdPartyNotices() as string
  for (const { id, license, texts } of modules) {
    expect(notices).toContain(`${id}: ${license}\n`)
    for (const text of texts) expect(notices).toContain(text)
  }
  for (const name of ['react', 'ink', 'hono', 'better-sqlite3'])
    expect(modules.some(({ id, texts }) => id.startsWith(`${name}@`) && texts.length > 0)).toBe(true)
  for (const part of ['jq (MIT', 'Oniguruma (BSD-2-Clause)', 'decNumber (ICU)']) expect(notices).toContain(part)
})

test('SHA256SUMS names the files of a release, whatever else is in its folder', async () => {
  const { writeChecksums } = await script('checksums.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'qd-sums-'))
  mkdirSync(join(folder, 'older'))
  for (const name of ['b.tgz', 'a.deb', 'stray']) writeFileSync(join(folder, name), name)
  writeChecksums(folder, [join(folder, 'b.tgz'), join(folder, 'a.deb')])
  const names = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(names.map((line) => line.split('  ')[1])).toEqual(['a.deb', 'b.tgz'])
  expect(names[0]).toBe(`${createHash('sha256').update('a.deb').digest('hex')}  a.deb`)
  rmSync(folder, { recursive: true })
})

test('issue 39.1 a release takes what is unreleased, and refuses to be empty', async () => {
  const { released } = await script('changelog.mjs')
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A fault.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n'
  const next = released(changelog, '0.2.0', '2026-11-26')
  expect(next).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-26\n\n### Fixed\n\n- A fault.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n',
  )
  expect(released(next, '0.3.0', '2026-12-01')).toBeNull()
  expect(read('CHANGELOG.md')).toContain('## [Unreleased]\n')
})

test('issue 39.3 the image installs from every workspace, takes what the build needs, and names settings that exist', async () => {
  const dockerfile = read('Dockerfile')
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] }
  const folders = workspaces.flatMap((one) =>
    one.endsWith('/*') ? readdirSync(join(root, one.slice(0, -2))).map((name) => one.replace('*', name)) : one,
  )
  for (const folder of folders) expect(dockerfile).toContain(`\nCOPY ${folder}/package.json ${folder}/\n`)
  const taken = read('.dockerignore').split('\n')
  for (const one of ['apps', 'packages', 'locales', 'scripts', 'package-lock.json', 'LICENSE', 'NOTICE'])
    expect(taken).toContain(`!${one}`)
  const config = read('apps/server/src/config.ts')
  for (const [name] of `${dockerfile}\n${read('compose.yaml')}`.matchAll(/\bQD_[A-Z_]+/g))
    expect(config, name).toContain(name)
})
