import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, isTest, readSource, sourceFiles } from '../support/sources.ts'

const files = sourceFiles().filter((file) => !file.endsWith('.d.ts'))
const texts = new Map(files.map((file) => [file, readSource(file)]))

/** A row of the table of ARCHITECTURE.md: the wings of a module in their order, and what the module may import. */
interface Module {
  wings: readonly string[]
  imports: string
}
const modules = new Map<string, Module>(
  [...readSource('ARCHITECTURE.md').matchAll(/^\| `([\w/]+)` \| (?:`([^`]+)`|–) \| ([^|]+) \|$/gm)].map(
    ([, name, wings, imports]) => [name!, { wings: wings?.split(/\s*<\s*/) ?? [], imports: imports!.trim() }],
  ),
)

/** Where a file stands: its module, and there the wing, which is a folder or the file's own name; null for what builds a module. */
interface Place {
  module: string
  wing: string | null
}

function placeOf(path: string): Place {
  const [top = '', second = '', third = '', fourth = ''] = path.split('/')
  const wing = (part: string) => part.replace(/\.tsx?$/, '') || null
  if (top !== 'packages' && top !== 'apps') return { module: top, wing: top === 'tests' ? wing(second) : null }
  return { module: `${top}/${second}`, wing: third === 'src' ? wing(fourth) : null }
}

/** Where an import leads: into this project, or to a package or a built-in. */
function targetOf(file: string, specifier: string): Place | { outside: string } {
  const [, name, wing = null] = /^@qd\/([^/]+)(?:\/([^/]+))?$/.exec(specifier) ?? []
  if (name) {
    const top = name === 'core' || name === 'protocol' ? 'packages' : 'apps'
    return { module: `${top}/${name}`, wing: name === 'core' ? wing : null }
  }
  if (!specifier.startsWith('.')) return { outside: specifier }
  return placeOf(posix.join(posix.dirname(file), specifier))
}

/** Modules that a row allows, e.g. "`core/{errors,i18n}`, `protocol`". */
function allows(imports: string, { module, wing }: Place): boolean {
  const name = module.replace(/^packages\//, '')
  const part = new RegExp(`\`${name}(?:/\\{([\\w,]+)\\})?\``).exec(imports)
  return part !== null && (part[1] === undefined || wing === null || part[1].split(',').includes(wing))
}

const forbiddenOutside: Readonly<Record<string, RegExp>> = {
  'packages/protocol': /^(node:|react|ink|fs$|http$)/,
  'packages/core': /^(node:|react|ink|@legendapp\/state\/react|fs$|http$)/,
  'apps/web': /^node:/,
}

/** True for tests and, in apps and packages, what only tests use. Helpers in `tests` are no tests. */
const isFree = (file: string) => (file.startsWith('tests/') ? /\.(test|spec)\.tsx?$/.test(file) : isTest(file))

function complaint(file: string, specifier: string): string | null {
  const from = placeOf(file)
  const to = targetOf(file, specifier)
  const says = (why: string) => `${file} imports ${specifier}: ${why}`
  if ('outside' in to) {
    const isBarred = !isFree(file) && from.wing !== null && forbiddenOutside[from.module]?.test(to.outside)
    return isBarred ? says(`${from.module} knows no such thing`) : null
  }
  if (to.module === 'locales') return from.wing === 'i18n' ? null : says('texts are read by core/i18n only')
  if (to.module === 'package.json') return null
  if (to.module !== from.module) {
    if (isFree(file) && (to.module === 'tests' || to.module === 'docs')) return null
    const isByName = !specifier.startsWith('.') || to.module === 'scripts'
    if (from.module === 'tests' && (isByName || isFree(file) || from.wing === 'support')) return null
    if (specifier.startsWith('.')) return says('another module is imported by its package name')
    const imports = modules.get(from.module)?.imports ?? ''
    return allows(imports, to) ? null : says(`${from.module} may import ${imports}`)
  }
  const wings = modules.get(from.module)?.wings ?? []
  if (isFree(file) || from.wing === to.wing || from.wing === null || to.wing === null || wings.length === 0) return null
  const isLeft = wings.includes(to.wing) && wings.indexOf(to.wing) < wings.indexOf(from.wing)
  return isLeft ? null : says(`${to.wing} is not left of ${from.wing}`)
}

describe('imports', () => {
  test('nobody imports what the table forbids', () => {
    const found = [...texts].flatMap(([file, text]) => importsOf(text).map((specifier) => complaint(file, specifier)))
    expect(found.filter((one) => one !== null)).toEqual([])
  })

  test.each([
    ['packages/core/src/fields/a.ts', '../targets/index.ts', true],
    ['packages/core/src/targets/a.ts', '../fields/index.ts', false],
    ['packages/core/src/targets/a.test.ts', '../resources/index.ts', false],
    ['packages/core/src/view/a.ts', 'node:fs', true],
    ['packages/core/src/view/a.ts', '../../../../locales/en-US/ui.json', true],
    ['packages/core/src/i18n/a.ts', '../../../../locales/en-US/ui.json', false],
    ['apps/server/src/main.ts', '@qd/core/targets', false],
    ['apps/server/src/main.ts', '@qd/core/view', true],
    ['apps/server/src/main.ts', '@qd/protocol', false],
    ['apps/agent/src/main.ts', '@qd/core/errors', true],
    ['apps/web/src/dashboard.ts', '@qd/tui', true],
    ['apps/web/src/dashboard.ts', '../../tui/src/a.ts', true],
    ['packages/protocol/src/a.ts', '@qd/core/errors', true],
    ['apps/server/src/store/db/a.ts', '../../watch/notices/types.ts', true],
    ['apps/server/src/watch/notices/a.ts', '../../store/db/schema.ts', false],
    ['apps/server/src/store/db/a.test.ts', '../../watch/notices/types.ts', false],
    ['tests/support/a.ts', '../tui/screen.ts', true],
    ['tests/tui/a.ts', '../support/world.ts', false],
    ['tests/tui/a.test.ts', '../e2e/seed.ts', false],
  ])('%s importing %s is refused: %s', (file, specifier, refused) => {
    expect(complaint(file, specifier) !== null).toBe(refused)
  })

  test.each(['packages/core', 'apps/server', 'apps/web', 'apps/tui', 'apps/agent'])(
    'every wing of %s stands in the table, and every wing of the table is there',
    (module) => {
      const inside = files.filter((file) => file.startsWith(`${module}/src/`) && !isFree(file))
      const wings = new Set(inside.map((file) => placeOf(file).wing!))
      expect([...modules.get(module)!.wings].sort()).toEqual([...wings].sort())
    },
  )

  test('every wing of core has one entry', () => {
    const { exports } = JSON.parse(readSource('packages/core/package.json')) as { exports: Record<string, string> }
    const entryOf = (wing: string) => (texts.has(`packages/core/src/${wing}.ts`) ? `${wing}.ts` : `${wing}/index.ts`)
    const entries = modules.get('packages/core')!.wings.map((wing) => [`./${wing}`, `./src/${entryOf(wing)}`])
    expect(exports).toEqual(Object.fromEntries(entries))
  })
})

describe('circles', () => {
  test('no file imports one that, by whatever way, imports it', () => {
    const edges = files
      .filter((file) => !/\.(test|spec)\.tsx?$/.test(file))
      .map((file) => [file, neighboursOf(file)] as const)
    expect(circlesIn(new Map(edges))).toEqual([])
  })

  test('are found, whatever leads into them', () => {
    const edges = { start: ['a'], a: ['b'], b: ['c'], c: ['a', 'd'], d: [] }
    expect(circlesIn(new Map(Object.entries(edges)))).toEqual([['a', 'b', 'c', 'a']])
  })
})

/** Files of ours that a file imports by path. */
function neighboursOf(file: string): string[] {
  const paths = importsOf(texts.get(file)!).filter((specifier) => specifier.startsWith('.'))
  return paths.map((specifier) => posix.join(posix.dirname(file), specifier))
}

/** One circle per way back that a walk over all files finds. */
function circlesIn(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  function walk(file: string): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file])
    if (path.includes(file) || done.has(file)) return
    path.push(file)
    for (const next of edges.get(file) ?? []) walk(next)
    path.pop()
    done.add(file)
  }
  for (const file of edges.keys()) walk(file)
  return circles
}

describe('files', () => {
  test('bear kebab-case names, or the name of the component they export', () => {
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(alone|test|css|config|spec|d))*\.(ts|tsx|mjs|js)$/
    const wrong = files.filter((file) => {
      const name = posix.basename(file)
      const component = /^([A-Z][A-Za-z0-9]*)((\.alone)?\.test|\.css)?\.tsx?$/.exec(name)?.[1]
      if (component === undefined) return !kebab.test(name)
      const exported = [...texts.get(file)!.matchAll(/^export (?:async )?(?:function|const) ([A-Z]\w*[a-z]\w*)/gm)].map(
        (one) => one[1],
      )
      return exported.length === 1 && !/\.(css|test)\./.test(name) && exported[0] !== component
    })
    expect(wrong).toEqual([])
  })

  test('say what they hold', () => {
    const vague = /^(utils?|helpers?|common|shared|misc|manager)$/
    const wrong = files.filter((file) => file.split('/').some((part) => vague.test(part.replace(/\..*$/, ''))))
    expect(wrong.filter((file) => file !== 'packages/core/src/schemas/common.ts')).toEqual([])
  })
})
