import { server } from '@qd/core/resources'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { listOf } from '../../base/state/list-state.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { ComparePicker } from './ComparePicker.tsx'

afterEach(cleanup)

test('issue 18: selected servers beyond those that a chart shows are said to be left out', async () => {
  await showLanguage('en-US')
  listOf(server).setMarks([1, 2, 3, 4, 5, 6, 7, 8])
  const onChange = vi.fn()
  const picker = (chosen: readonly number[], leftOut: number) => (
    <ComparePicker subject={1} most={4} {...{ chosen, leftOut, onChange }} />
  )
  const { rerender } = render(picker([], 0))
  expect(screen.queryByRole('status')).toBeNull()
  screen.getByRole('button', { name: 'Compare with 4 selected' }).click()
  expect(onChange).toHaveBeenCalledWith([2, 3, 4, 5, 6, 7, 8])
  rerender(picker([2, 3, 4, 5], 3))
  expect(screen.getByRole('status').textContent).toBe('Charts show up to 5 servers. 3 selected servers aren’t shown.')
  expect(screen.queryByRole('button', { name: /selected/ })).toBeNull()
  rerender(picker([2, 3, 4, 5], 1))
  expect(screen.getByRole('status').textContent).toContain('1 selected server isn’t shown.')
})
