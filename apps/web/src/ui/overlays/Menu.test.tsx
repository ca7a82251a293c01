import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { showLanguage } from '../../base/state/texts.ts'
import { Button } from '../Button.tsx'
import { loadMenus, Menu } from './Menu.tsx'

beforeAll(() => showLanguage('en-US'))
afterEach(cleanup)

const entries = [{ id: 'one', label: 'Linux', run: () => undefined }]
const draw = (turn: number) => (
  <Menu label="Install" entries={entries}>
    <Button>{`Install ${turn > 0 ? 'agent' : 'it'}`}</Button>
  </Menu>
)

test('who stands on the button of a menu keeps their place when its code comes, Enter and the arrow open it', async () => {
  const { rerender } = render(draw(0))
  act(() => screen.getByRole('button').focus())
  await act(() => loadMenus())
  rerender(draw(1))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Install agent' }))
  await userEvent.setup().keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Linux' })).toBeTruthy())
  await userEvent.setup().keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  const button = screen.getByRole('button', { name: 'Install agent' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await userEvent.setup().keyboard('{ArrowDown}')
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Linux' })).toBeTruthy())
})
