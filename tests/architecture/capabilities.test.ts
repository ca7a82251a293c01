import { resources } from '@qd/core/resources'
import { capabilities } from '@qd/server/capabilities'
import { expect, test } from 'vitest'

test('our server announces every capability that a resource, a field, an action or a server check asks for', () => {
  const asked = resources.flatMap(({ requires, fields, actions, serverChecks, detail }) => [
    requires,
    ...Object.values(fields).map((field) => field.requires ?? null),
    ...detail.sections.map((section) => section.requires ?? null),
    ...Object.values(actions).map(({ capability }) => capability),
    ...Object.values(serverChecks).map(({ capability }) => capability),
  ])
  const known: readonly string[] = capabilities
  const missing = asked.filter((name) => name !== null && name !== undefined && !known.includes(name))
  expect([...new Set(missing)]).toEqual([])
})
