import { usersOf } from '@qd/core/actions'
import {
  defineAction,
  defineResource,
  factFields,
  fieldsOfSection,
  type Resource,
  resourceNames,
} from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { berth } from '../support/berth.ts'
import { definitionProblems } from '../support/definition-problems.ts'
import { readSource } from '../support/sources.ts'

test.each(resources.map((resource) => [resource.name, resource] as const))(
  'issue 13: %s says nothing of fields and entities that are not there',
  (_name, resource) => expect(definitionProblems(resource, resources)).toEqual([]),
)

test('issue 13: what a definition names and has not is told with its entity and place', () => {
  const { detail } = berth
  const broken = (changes: object) =>
    definitionProblems({ ...berth, ...changes } as unknown as Resource, [...resources, berth])
  expect(broken({})).toEqual([])
  expect(broken({ columns: [...berth.columns, { field: 'depth', show: 'normal', live: false }] })).toEqual([
    'berth: columns[4] names the field “depth”, which it has not',
  ])
  expect(broken({ fields: { ...berth.fields, tasks: { kind: 'refs', to: 'quay' } } })).toEqual([
    'berth: fields.tasks refers to “quay”, which is no entity',
  ])
  const form = [{ group: 'what', fields: [{ field: 'url', when: {}, wide: false }] }]
  const linked = { ...berth, form, fields: { ...berth.fields, url: { kind: 'text' } } } as unknown as Resource
  expect(definitionProblems(linked, [...resources, berth])).toEqual([
    'berth: the form’s field “url” has the flag --url, which every command has',
  ])
  const section = (one: object) => broken({ detail: { ...detail, sections: [...detail.sections, one] } })
  const place = `detail.sections[${detail.sections.length}]`
  expect(section({ kind: 'facts', fields: ['name', 'depth'] })).toEqual([
    `berth: ${place} (facts) names the field “depth”, which it has not`,
  ])
  expect(section({ kind: 'related', of: 'incident', by: 'server_id', fields: ['depth'] })).toEqual([
    `berth: ${place} (related) shows “depth” of incident, which has no such field`,
    `berth: ${place} (related) goes by “server_id” of incident, which names no berth`,
  ])
  expect(section({ kind: 'related', of: 'run', by: { targets: true }, fields: [] })).toEqual([
    `berth: ${place} (related) lists what targets it of run, which targets nothing`,
  ])
  expect(section({ kind: 'events', path: 'berth/event' })).toEqual([
    `berth: ${place} (events) reads “berth/event”, which has no {id}`,
  ])
})

/** Never called: the compiler reads it, and refuses a line below `@ts-expect-error` that is right. */
export function refusedByTheCompiler(): void {
  const rest = {
    name: 'nat',
    icon: 'server',
    path: '/dashboard/nat',
    input: () => z.strictObject({ name: z.string(), task: z.int() }),
    added: () => ({ id: z.int() }),
    scopes: { read: null, write: null, remove: null },
  } as const
  const fields = { id: { kind: 'number' }, name: { kind: 'text' }, task: { kind: 'ref', to: 'cron' } } as const
  defineResource({ ...rest, title: 'name', fields, columns: ['name'] })
  // @ts-expect-error a column on a field that is not there
  defineResource({ ...rest, title: 'name', fields, columns: ['depth'] })
  // @ts-expect-error a title that is not there
  defineResource({ ...rest, title: 'depth', fields, columns: [] })
  // @ts-expect-error a reference to no entity
  defineResource({ ...rest, title: 'name', fields: { ...fields, task: { kind: 'ref', to: 'quay' } }, columns: [] })
  defineResource({
    ...rest,
    title: 'name',
    fields,
    columns: [],
    // @ts-expect-error a detail section on a field that is not there
    detail: { sections: [{ kind: 'facts', fields: ['name', 'depth'] }] },
  })
  defineResource({
    ...rest,
    title: 'name',
    fields,
    columns: [],
    // @ts-expect-error a detail section of no kind
    detail: { sections: [{ kind: 'poem', field: 'name' }] },
  })
  // @ts-expect-error a scope that no token can have
  defineResource({ ...rest, title: 'name', fields, columns: [], scopes: { ...rest.scopes, read: 'nezha:berth:read' } })
  const ring = defineAction<{ id: number; tasks: readonly number[] }>()({ on: 'many', scope: null, icon: 'bell' })
  const list = { ...rest, input: () => z.strictObject({ name: z.string(), tasks: z.array(z.int()) }) }
  defineResource({
    ...list,
    title: 'name',
    fields: { id: fields.id, name: fields.name, tasks: { kind: 'refs', to: 'cron' } },
    columns: [],
    actions: { ring },
  })
}

describe('detail pages', () => {
  const lists = resources.filter(({ wire }) => wire.shape === 'many')

  test('issue 13: each list opens one, and it leaves out no value that its list shows', () => {
    for (const resource of lists) {
      const { detail, actions } = resource
      expect(actions.details ?? actions.open, resource.name).toBeDefined()
      if (detail.isPage) continue
      const said = [...detail.tags, ...detail.sections.flatMap(fieldsOfSection)]
      const rest = detail.sections.some(({ kind }) => kind === 'rest')
      const left = factFields(resource).filter((field) => field !== 'id' && !said.includes(field))
      if (rest) expect(left, resource.name).toEqual([])
      const columns = resource.columns.map(({ field }) => field)
      expect(
        left.filter((field) => columns.includes(field)),
        resource.name,
      ).toEqual([])
    }
  })

  test('issue 13: what can be named says by what it is used', () => {
    for (const resource of lists.filter((one) => usersOf(one).length > 0))
      expect(resource.detail.sections.at(-1), resource.name).toEqual({ kind: 'used-by' })
  })

  test('issue 13: what draws them for all names no entity', () => {
    const shared = [
      'apps/web/src/record/detail/Sections.tsx',
      'apps/web/src/record/detail/Values.tsx',
      'apps/web/src/record/detail/UsedBy.tsx',
      'packages/core/src/view/detail.ts',
      'apps/tui/src/places/detail/detail-screen.tsx',
      'apps/tui/src/places/detail/sections.ts',
      'apps/tui/src/places/detail/related.ts',
      'apps/tui/src/cli/commands/printing/print-detail.ts',
      'packages/core/src/define/detail.ts',
    ]
    const named = new RegExp(`'(${resourceNames.join('|')})'`)
    const asking = shared.filter((file) => named.test(readSource(file).replaceAll("paging === 'server'", '')))
    expect(asking).toEqual([])
  })
})
