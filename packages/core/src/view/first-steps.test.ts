import { expect, test } from 'vitest'
import { type AnyRow, type ResourceName, Role } from '../define/index.ts'
import { firstSteps } from './first-steps.ts'

const viewOf = (records: Partial<Record<ResourceName, AnyRow[]>>) => ({
  all: (name: ResourceName) => records[name] ?? [],
  find: (name: ResourceName, id: number) => records[name]?.find((row) => row.id === id),
})
const from = {
  viewer: { id: 1, role: Role.admin, username: 'admin', scopes: null },
  account: { id: 1, totp: false },
  supports: () => true,
}
const done = (records: Partial<Record<ResourceName, AnyRow[]>>, account: AnyRow = from.account) =>
  firstSteps(viewOf(records), { ...from, account })
    .filter(({ isDone }) => isDone)
    .map(({ step }) => step)

test('issue 39.5: the first steps are done when their records are there', () => {
  expect(firstSteps(viewOf({}), from).map(({ step, isDone }) => [step, isDone])).toEqual([
    ['server', false],
    ['notifier', false],
    ['rule', false],
    ['name', false],
    ['factor', false],
  ])
  const setting = [{ id: 1, dashboard_host: 'console.example.net' }]
  expect(done({ server: [{ id: 1 }], setting })).toEqual(['server', 'name'])
  expect(done({ notification: [{ id: 1 }], 'alert-rule': [{ id: 1 }] }, { id: 1, totp: true })).toEqual([
    'notifier',
    'rule',
    'factor',
  ])
})

test('issue 39.5: nobody is asked for what they may not do, or what the server can’t', () => {
  const member = firstSteps(viewOf({}), { ...from, viewer: { ...from.viewer, role: Role.user } })
  expect(member.map(({ step }) => step)).not.toContain('name')
  const nezha = firstSteps(viewOf({}), { ...from, supports: () => false })
  expect(nezha.map(({ step }) => step)).not.toContain('server')
})
