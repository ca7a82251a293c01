import { expect, test } from 'vitest'
import { service } from '../resources/index.ts'
import { chosenFacet, facetsOf, withFacet } from './facets.ts'

test('issue 35: a facet filters with the shown word, and is the chosen one with either', () => {
  const facets = facetsOf(service, {}, {})
  expect(facets.map(({ filters }) => filters[0])).toContain('degraded')
  expect(['degraded', 'unsteady', 'slow'].map((filter) => chosenFacet(facets, filter))).toEqual([
    'unsteady',
    'unsteady',
    'slow',
  ])
  expect(withFacet(facets, 'unsteady web', 'unsteady')).toBe('web')
  expect(withFacet(facets, 'unsteady web', 'down')).toBe('web down')
})
