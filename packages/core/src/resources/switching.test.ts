import { expect, test } from 'vitest'
import type { AnyRow, Call } from '../define/index.ts'
import { resources } from './index.ts'

const switched = resources.flatMap((resource) =>
  Object.entries(resource.fields).flatMap(([field, definition]) =>
    definition.kind === 'flag' && definition.switch ? [{ resource, field, pair: definition.switch }] : [],
  ),
)

test('issue 14: alert rules, NAT profiles and sign-in providers have a switch in their list', () => {
  expect(switched.map(({ resource: { name }, field }) => `${name} ${field}`)).toEqual([
    'alert-rule enable',
    'nat enabled',
    'sign-in-provider enabled',
  ])
})

test.each(switched)('$resource.name: a switch sends the whole record with its flag changed', async (given) => {
  const { resource, field, pair } = given
  const calls: Call[] = []
  const api = { send: async (call: Call) => void calls.push(call) }
  const row = { ...resource.initial, id: 7, name: 'kept', [field]: true } as AnyRow
  const context = { api } as unknown as Parameters<NonNullable<(typeof resource.actions)['edit']>['run']>[0]
  await resource.actions[pair.off]!.run(context, [row])
  await resource.actions[pair.on]!.run(context, [{ ...row, [field]: false }])
  const path = `${resource.wire.path}/7`
  expect(calls).toEqual([
    { method: 'PATCH', path, body: { ...resource.initial, name: 'kept', [field]: false } },
    { method: 'PATCH', path, body: { ...resource.initial, name: 'kept', [field]: true } },
  ])
})
