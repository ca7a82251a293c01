import { describe, expect, test } from 'vitest'
import { importsOf, isTest, readSource, sourceFiles } from '../support/sources.ts'

type Names = Readonly<Record<string, string>>
interface Manifest {
  name: string
  dependencies?: Names
  devDependencies?: Names
  optionalDependencies?: Names
}

const manifest = (folder: string) => JSON.parse(readSource(`${folder}package.json`)) as Manifest
const workspaces = ['packages/protocol', 'packages/core', 'apps/web', 'apps/tui', 'apps/server', 'apps/agent', 'tests']
const versionsIn = ({ dependencies, devDependencies, optionalDependencies }: Manifest) => ({
  ...dependencies,
  ...devDependencies,
  ...optionalDependencies,
})

/** `@scope/name` or `name` of an import; null for a path and for what Node brings itself. */
function packageOf(specifier: string): string | null {
  if (/^(\.|node:|bun:|virtual:|\/)/.test(specifier)) return null
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** What the root brings for every test; the name of the last stands only in the text of a made-up folder. */
const forTests = /^(vitest|fast-check|@testing-library\/.*|@lydell\/node-pty)$/
/** What the root brings for programs that run from their source. */
const fromSource = 'tsx'

describe('packages', () => {
  test.each(workspaces)('issue 13: what %s imports it declares', (workspace) => {
    const own = manifest(`${workspace}/`)
    const declared = versionsIn(own)
    const missing = sourceFiles()
      .filter((file) => file.startsWith(workspace === 'tests' ? 'tests/' : `${workspace}/src/`))
      .flatMap((file) =>
        importsOf(readSource(file)).flatMap((specifier) => {
          const name = packageOf(specifier)
          const isKnown = name === null || name === own.name || name === fromSource || Object.hasOwn(declared, name)
          return isKnown || (isTest(file) && forTests.test(name)) ? [] : `${file} imports ${name}`
        }),
      )
    expect(missing).toEqual([])
  })

  test('each is one exact version in all workspaces', () => {
    const all = ['', ...workspaces.map((folder) => `${folder}/`)].flatMap((folder) =>
      Object.entries(versionsIn(manifest(folder))),
    )
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+([-.][\w.-]+)?$/.test(version))).toEqual([])
    const versions = new Map(all)
    expect(all.filter(([name, version]) => versions.get(name) !== version)).toEqual([])
  })

  test.each(['react', 'react-dom'])('issue 13: types of %s are those of the installed version', (name) => {
    const minor = (path: string) =>
      (JSON.parse(readSource(path)) as { version: string }).version.split('.', 2).join('.')
    expect(minor(`node_modules/@types/${name}/package.json`)).toBe(minor(`node_modules/${name}/package.json`))
  })
})
