import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../../base/state/texts.ts'
import { ErrorBoundary } from './ErrorPage.tsx'

beforeEach(async () => {
  await showLanguage('en-US')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('what breaks in a page leaves the frame, says what happened and can be tried again', async () => {
  let isBroken = true
  const Page = () => {
    if (isBroken) throw new TypeError('no such thing')
    return <p>{'the page'}</p>
  }
  render(
    <main>
      <ErrorBoundary around="page">
        <Page />
      </ErrorBoundary>
    </main>,
  )
  expect(screen.getAllByRole('main')).toHaveLength(1)
  expect(screen.getByRole('heading', { name: 'Oops!' })).toBeTruthy()
  expect(screen.getByText('TypeError: no such thing')).toBeTruthy()
  isBroken = false
  await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }))
  expect(screen.getByText('the page')).toBeTruthy()
})
