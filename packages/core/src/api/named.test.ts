import { expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import { run } from '../resources/index.ts'
import { allNamed, type Records } from './index.ts'

test('a record that is named by its ID and by its name is there once, though each word is requested by itself', async () => {
  const asked: unknown[] = []
  const records: Pick<Records, 'list' | 'read'> = {
    async list(_resource, query) {
      asked.push(query)
      return [{ id: 12, name: 'nightly' }]
    },
    read: async (look) => look(viewOf({})),
  }
  expect(run.wire.paging).toBe('server')
  expect(await allNamed(run, records, ['12', 'nightly'])).toEqual([{ id: 12, name: 'nightly' }])
  expect(asked).toHaveLength(2)
})
