import { server } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { listOf } from '../../base/state/list-state.ts'
import { addressOf } from './use-list.ts'

test('the panel of the next server keeps the range of the charts and leaves the comparison', () => {
  const list = listOf(server)
  history.replaceState(null, '', '/dashboard?open=7&range=day&vs=8,9')
  const next = (open: number) => Object.fromEntries(new URLSearchParams(addressOf(server, list, open)))
  expect(next(8)).toEqual({ open: '8', range: 'day' })
  expect(next(7)).toEqual({ open: '7', range: 'day', vs: '8,9' })
  history.replaceState(null, '', '/')
})
