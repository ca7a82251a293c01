import { server } from '@qd/core/resources'
import { buildTable } from '@qd/core/view'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listOf, useListValue } from '../../../base/state/list-state.ts'
import { view } from '../../../base/state/stores.ts'
import { showLanguage } from '../../../base/state/texts.ts'
import { FilterBar } from './FilterBar.tsx'

const list = listOf(server)
const opened = vi.fn()

function Bar() {
  const filter = useListValue(list, (one) => one.filter)
  const table = buildTable({ resource: server, rows: [], view, width: 'wide', filter, typing: true, marks: list.marks })
  return <FilterBar resource={server} list={list} table={table} onOpen={opened} />
}

async function type(text: string) {
  render(<Bar />)
  const user = userEvent.setup()
  const input = screen.getByRole<HTMLInputElement>('combobox')
  await user.type(input, text)
  return { user, input }
}
const options = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent)
const chosen = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.firstChild?.textContent ?? null

beforeEach(async () => {
  opened.mockClear()
  await showLanguage('en-US')
  act(() => list.setFilter(''))
})
afterEach(cleanup)

test('D4: what is typed in the filter is completed: arrows choose, Enter takes, a screen reader hears which', async () => {
  const { user, input } = await type('off')
  expect([input.getAttribute('aria-expanded'), options(), chosen(input)]).toEqual(['true', ['offline'], null])
  await user.keyboard('{ArrowDown}')
  expect(chosen(input)).toBe('offline')
  await user.keyboard('{Enter}')
  expect([input.value, options(), document.activeElement]).toEqual(['offline ', [], input])
})

test('D4: Tab takes the first, and a term goes on with its values; without a list Tab leaves', async () => {
  const { user, input } = await type('stat')
  expect(options()[0]).toBe('status:')
  await user.keyboard('{Tab}')
  expect([input.value, options().includes('online')]).toEqual(['status:', true])
  await user.keyboard('onl{Tab}')
  expect([input.value, options()]).toEqual(['status:online ', []])
  await user.keyboard('{Tab}')
  expect(document.activeElement).not.toBe(input)
})

test('P-33: Escape closes the list first, the filter stays', async () => {
  const { user, input } = await type('on')
  await user.keyboard('{Escape}')
  expect([options(), input.value, document.activeElement]).toEqual([[], 'on', input])
})

test('Enter without a choice leaves the field', async () => {
  const { user, input } = await type('on')
  await user.keyboard('{Enter}')
  expect([input.value, options()]).toEqual(['on', []])
  expect(document.activeElement).not.toBe(input)
})

test('a click takes one', async () => {
  const { user, input } = await type('off')
  await user.click(screen.getByRole('option', { name: /offline/ }))
  expect([input.value, options()]).toEqual(['offline ', []])
})

async function enterWith(shown: { isComing?: boolean }) {
  list.setFilter('web')
  const table = buildTable({ resource: server, rows: [], view, width: 'wide', filter: 'web', marks: list.marks })
  const only = { ...table, ids: [7], matched: 1, ...shown }
  render(<FilterBar resource={server} list={list} table={only} onOpen={opened} />)
  await userEvent.setup().type(screen.getByRole('combobox'), '{Enter}')
}

test('Enter opens the only row that the filter leaves', async () => {
  await enterWith({})
  expect(opened).toHaveBeenCalledWith(7)
})

test('Enter opens no row of the filter before: the answer is still coming', async () => {
  await enterWith({ isComing: true })
  expect(opened).not.toHaveBeenCalled()
})

test('Enter opens no row while others are selected', async () => {
  list.settle([7, 8])
  act(() => list.markAll([8]))
  await enterWith({})
  act(() => list.clearMarks())
  expect(opened).not.toHaveBeenCalled()
})
