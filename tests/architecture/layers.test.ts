import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, isTest, readSource, sourceFiles } from '../support/sources.ts'

const files = sourceFiles()
const texts = new Map(files.map((file) => [file, readSource(file)]))
const architecture = readSource('ARCHITECTURE.md')

/** The map of ARCHITECTURE.md: what each folder may import, as its third column says. */
const map = new Map(
  [...architecture.matchAll(/^\| `([\w/]+?)\/?` \|[^|]*\| ([^|]+) \|$/gm)].map((row) => [row[1]!, row[2]!.trim()]),
)
/** By room: its folders, and files that lie in none, each of which may import those before it. */
const orders = new Map(
  [...architecture.matchAll(/^Inside `([\w/]+?)(?:\/src)?`[^\n]*:\n`([\w< \n-]+)`/gm)].map((found) => [
    found[1]!,
    found[2]!.split(/\s*<\s*/),
  ]),
)

/** Of `apps/web/src/x.ts`: `apps/web`; of `tests/support/x.ts`: `tests`. */
function roomOf(file: string): string {
  const [top = '', second = ''] = file.split('/')
  return top === 'packages' || top === 'apps' ? `${top}/${second}` : top
}

/** What a file of ours stands for to the layers: the room, and within it the folder, or the file's own name where it lies in none. */
interface Place {
  room: string
  folder: string | null
}

function placeOf(path: string): Place {
  const folder = /^(?:packages|apps)\/[^/]+\/src\/([^/]+?)(?:\.tsx?)?(?:\/|$)/.exec(path)?.[1] ?? null
  return { room: roomOf(path), folder }
}

/** Where an import leads: into this project, or to a package or a built-in. */
function targetOf(file: string, specifier: string): Place | { outside: string } {
  const ours = /^@qd\/([^/]+)(?:\/([^/]+))?$/.exec(specifier)
  if (ours)
    return {
      room: `${['core', 'protocol'].includes(ours[1]!) ? 'packages' : 'apps'}/${ours[1]}`,
      folder: ours[1] === 'core' ? (ours[2] ?? null) : null,
    }
  if (!specifier.startsWith('.')) return { outside: specifier }
  return placeOf(posix.join(posix.dirname(file), specifier))
}

/** Rooms that a rule of the map allows, e.g. "`core/{errors,i18n}`, `protocol`". */
function allows(rule: string, { room, folder }: Place): boolean {
  const name = room.replace(/^packages\//, '')
  const part = new RegExp(`\`${name}(?:/\\{([\\w,]+)\\})?\``).exec(rule)
  return part !== null && (part[1] === undefined || folder === null || part[1].split(',').includes(folder))
}

const forbiddenOutside: Readonly<Record<string, RegExp>> = {
  'packages/protocol': /^(node:|react|ink|fs$|http$)/,
  'packages/core': /^(node:|react|ink|@legendapp\/state\/react|fs$|http$)/,
  'apps/web': /^node:/,
}

function complaint(file: string, specifier: string): string | null {
  const from = placeOf(file)
  const to = targetOf(file, specifier)
  const says = (why: string) => `${file} imports ${specifier}: ${why}`
  if ('outside' in to) {
    const isBarred =
      !isTest(file) && file.startsWith(`${from.room}/src/`) && forbiddenOutside[from.room]?.test(to.outside)
    return isBarred ? says(`${from.room} knows no such thing`) : null
  }
  if (to.room === 'locales') return from.folder === 'i18n' ? null : says('texts are read by core/i18n only')
  if (to.room === 'package.json') return null
  if (to.room !== from.room) {
    if (isTest(file) && (to.room === 'tests' || to.room === 'docs')) return null
    if (file.startsWith('tests/support/')) return null
    if (specifier.startsWith('.')) return says('another workspace is imported by its package name')
    if (from.room === 'tests') return null
    return allows(map.get(from.room) ?? '', to) ? null : says(`${from.room} may import ${map.get(from.room)}`)
  }
  const order = orders.get(from.room)
  if (isTest(file) || !order || from.folder === null || to.folder === null || from.folder === to.folder) return null
  return order.indexOf(to.folder) < order.indexOf(from.folder)
    ? null
    : says(`${to.folder} is not left of ${from.folder}`)
}

describe('imports', () => {
  test('the map is read', () => {
    expect([...map.keys()]).toEqual(
      expect.arrayContaining([
        'packages/core',
        'packages/protocol',
        'apps/web',
        'apps/tui',
        'apps/server',
        'apps/agent',
        'tests',
      ]),
    )
    expect([...orders.keys()]).toEqual(['packages/core', 'apps/server', 'apps/web', 'apps/tui', 'apps/agent'])
    expect(orders.get('packages/core')!.slice(0, 4)).toEqual(['errors', 'i18n', 'define', 'fields'])
  })

  test('nobody imports what the map forbids', () => {
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
    ['apps/server/src/a.ts', '@qd/core/targets', false],
    ['apps/server/src/a.ts', '@qd/core/view', true],
    ['apps/server/src/a.ts', '@qd/protocol', false],
    ['apps/agent/src/a.ts', '@qd/core/errors', true],
    ['apps/agent/src/wire/a.ts', '../tasks/files.ts', true],
    ['apps/web/src/a.ts', '@qd/tui', true],
    ['apps/web/src/a.ts', '../../tui/src/a.ts', true],
    ['packages/protocol/src/a.ts', '@qd/core/errors', true],
    ['apps/server/src/store/db/a.ts', '../../watch/notices/types.ts', true],
    ['apps/server/src/act/runs/a.ts', '../../store/db/schema.ts', false],
    ['apps/server/src/act/runs/a.ts', '../../api/container.ts', true],
    ['apps/server/src/act/runs/a.test.ts', '../../api/container.ts', false],
  ])('%s importing %s is refused: %s', (file, specifier, refused) => {
    expect(complaint(file, specifier) !== null).toBe(refused)
  })

  test.each([...orders])('every folder of %s is ranked, and every rank is there', (room, order) => {
    const inside = files.filter(
      (file) => roomOf(file) === room && file.startsWith(`${room}/src/`) && !isTest(file) && !file.endsWith('.d.ts'),
    )
    const folders = new Set(inside.map((file) => placeOf(file).folder!))
    expect([...order].sort()).toEqual([...folders].sort())
  })

  test('every folder of core has one entry', () => {
    const { exports } = JSON.parse(readSource('packages/core/package.json')) as { exports: Record<string, string> }
    expect(Object.keys(exports).sort()).toEqual(
      orders
        .get('packages/core')!
        .map((folder) => `./${folder}`)
        .sort(),
    )
    for (const [entry, file] of Object.entries(exports)) expect(file).toBe(`./src/${entry.slice(2)}/index.ts`)
  })
})

describe('circles', () => {
  const rooms = ['packages/protocol', 'packages/core', 'apps/server', 'apps/agent', 'apps/web', 'apps/tui']

  test.each(rooms)('no file of %s imports one that, by whatever way, imports it', (room) => {
    const inside = files.filter((file) => file.startsWith(`${room}/src/`) && !isTest(file) && !file.endsWith('.d.ts'))
    expect(circlesIn(new Map(inside.map((file) => [file, neighboursOf(file)])))).toEqual([])
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
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|css|config|spec|d))*\.(ts|tsx|mjs|js)$/
    const wrong = files.filter((file) => {
      const name = posix.basename(file)
      const component = /^([A-Z][A-Za-z0-9]*)(\.css|\.test)?\.tsx?$/.exec(name)?.[1]
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
