import { resources } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { boundless } from '../support/boundless.ts'

const forms = resources.flatMap((resource) => [
  { of: resource.name as string, input: resource.input },
  ...Object.values(resource.actions).flatMap(({ name, args }) =>
    args ? [{ of: `${resource.name} ${name}`, input: args.input }] : [],
  ),
])

test('issue 37.2 every text, list and map that a request can store has a maximum in its definition', () => {
  expect(forms.length).toBeGreaterThan(30)
  expect(forms.flatMap(({ of, input }) => boundless(input).map((path) => `${of}: ${path}`))).toEqual([])
})
