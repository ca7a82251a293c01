import { existsSync } from 'node:fs'
import { resources } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { migrationNames } from '../../apps/server/src/store/db/migrate.ts'
import { readSource, root, sourceFiles } from '../support/sources.ts'

const server = 'apps/server/src'
const sources = sourceFiles()
  .filter((file) => file.startsWith(`${server}/`) && !/\.test\.ts$|\/testing(\/|\.ts$)/.test(file))
  .map((file) => ({ file, text: readSource(file) }))
const textOf = (file: string) => sources.find((one) => one.file === `${server}/${file}`)!.text

/** Entities that are stored as records, by the table that holds them. */
const stored = sources.flatMap(({ file, text }) =>
  /\/resources\/[\w-]+\.ts$/.test(file) && !/\/entity\.ts$/.test(file)
    ? [...text.matchAll(/^ {2}table: '(\w+)'/gm)].map((found) => ({ table: found[1]!, file, text }))
    : [],
)
const nameOf = (file: string) => /([\w-]+)\.ts$/.exec(file)![1]!

/** Every table that a migration makes, with the line that makes it. */
function tablesIn({ file, text }: { file: string; text: string }) {
  return text.split('\n').flatMap((line, index) => {
    const made = /(?:createTable\(db, engine, |\btable\()'(\w+)'/.exec(line)
    return made ? [{ table: made[1]!, line: `${file}:${index + 1}` }] : []
  })
}

/** Lines of migrations that make a table which nothing reads: neither an entity nor the tables of engines know it. */
function orphans(migrations: readonly { file: string; text: string }[]): string[] {
  const ofEntities = stored.map(({ table }) => table)
  const ofMembers = stored.flatMap(({ text }) => [...text.matchAll(/members: \{ table: '(\w+)'/g)].map((m) => m[1]!))
  const ofEngines = [...textOf('store/db/schema.ts').matchAll(/^ {2}(\w+): \w+Table$/gm)].map((found) => found[1]!)
  const known = new Set([...ofEntities, ...ofMembers, ...ofEngines])
  return migrations
    .flatMap(tablesIn)
    .filter(({ table }) => !known.has(table))
    .map(
      ({ table, line }) =>
        `${line} makes the table ${table}, which no entity of resources/ and no interface of db/schema.ts has`,
    )
}

describe('migrations', () => {
  const migrations = sources.filter(({ file }) => file.includes('/db/migrations/'))

  test('issue 13: one without its entity is told by its line', () => {
    expect(migrations.flatMap(tablesIn).length).toBeGreaterThan(stored.length)
    expect(orphans(migrations)).toEqual([])
    const file = `${server}/store/db/migrations/0099-nat.ts`
    const text = "export async function nat(db: AnyDb, engine: Engine) {\n  await createTable(db, engine, 'nats')\n}\n"
    expect(orphans([{ file, text }])).toEqual([
      `${file}:2 makes the table nats, which no entity of resources/ and no interface of db/schema.ts has`,
    ])
  })

  test('each is run, in the order of its number', () => {
    const named = migrations.flatMap(({ text }) =>
      [...text.matchAll(/async '(\d{4}-[\w-]+)'/g)].map((found) => found[1]!),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !migrationNames.includes(name))).toEqual([])
    const numbers = migrationNames.map((name) => Number(name.slice(0, 4)))
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  })
})

/** Paths of the first column of a table of ARCHITECTURE.md. */
function placesOf(heading: string): string[] {
  const [, section = ''] = new RegExp(`## ${heading}\\n([\\s\\S]*?)\\n## `).exec(readSource('ARCHITECTURE.md')) ?? []
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((found) => found[1]!)
}

describe.each(['Add a field', 'Add an entity', 'Add an action'])('“%s” in ARCHITECTURE.md', (heading) => {
  test('names places that are there', () => {
    const places = placesOf(heading)
    expect(places.length).toBeGreaterThan(4)
    const missing = places.filter(
      (place) => !/\*|\bnn/.test(place) && !existsSync(`${root}${place.replace(/00nn-.*/, '')}`),
    )
    expect(missing).toEqual([])
  })
})

describe('“Add an entity” in ARCHITECTURE.md, for `nat`', () => {
  const places = placesOf('Add an entity')
    .filter((place) => place.startsWith(`${server}/`))
    .map((place) => place.slice(server.length + 1))

  test('names what it touches on the server', () => {
    expect(places).toEqual([
      'api/resources/nat.ts',
      'api/resources/registry.ts',
      'store/records/rows.ts',
      'store/db/migrations/0010-later.ts',
      'kernel/capabilities.ts',
    ])
  })

  test('names every file that lists all entities', () => {
    // Names with a dash are no other word.
    const names = resources.map(({ name }) => name as string).filter((name) => name.includes('-'))
    const lists = [...sourceFiles(), 'docs/develop/sources/decisions.md'].filter((file) => {
      const text = readSource(file)
      return names.every((name) => new RegExp(`\\b${name}\\b`).test(text))
    })
    expect(lists).toContain('packages/core/src/resources/index.ts')
    expect(lists.filter((file) => !placesOf('Add an entity').includes(file))).toEqual([])
  })

  test.each(stored.map(({ table, file }) => [nameOf(file), table] as const))(
    '%s stands in each place',
    (name, table) => {
      const type = `${name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())}Row`
      expect(textOf('api/resources/registry.ts')).toContain(`from './${name}.ts'`)
      expect(textOf('store/records/rows.ts')).toContain(`export type ${type} =`)
      const makers = sources.filter((one) => tablesIn(one).some((made) => made.table === table))
      expect(makers.map(({ file }) => file.includes('/db/migrations/'))).toEqual([true])
    },
  )

  test('nothing else knows an entity that no engine works with', () => {
    const [name, table, rows] = ['api-token', 'api_tokens', 'ApiTokenRow']
    const knowing = sources
      .filter(({ text }) => text.includes(`'${table}'`) || text.includes(rows))
      .map(({ file }) => file)
    const allowed = places.map((place) => place.replace(/\bnat\b/, name))
    // Tokens prove who calls: `access` and what it reads them by are their engine.
    const own = knowing.filter((file) => !/\/(access|db\/migrations)\/|\/records\/api-tokens\.ts$/.test(file))
    expect(own.map((file) => file.slice(server.length + 1)).filter((file) => !allowed.includes(file))).toEqual([])
  })
})
