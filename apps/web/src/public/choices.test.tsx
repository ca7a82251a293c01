import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../base/state/texts.ts'
import { ThemeChoice } from './Choices.tsx'

await showLanguage('en-US')
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('issue 36.37 the status page follows the theme of the machine until another is chosen there', () => {
  const machine = new EventTarget()
  vi.stubGlobal('matchMedia', () => machine)
  const turns = (matches: boolean) =>
    act(() => void machine.dispatchEvent(Object.assign(new Event('change'), { matches })))
  const theme = () => document.documentElement.dataset.theme
  document.documentElement.dataset.theme = 'light'
  render(<ThemeChoice />)
  turns(true)
  expect(theme()).toBe('dark')
  turns(false)
  expect(theme()).toBe('light')
  fireEvent.click(screen.getByRole('button'))
  turns(false)
  expect(theme()).toBe('dark')
})
