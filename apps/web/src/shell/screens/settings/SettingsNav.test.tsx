import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { useRef } from 'react'
import { Link, MemoryRouter } from 'react-router-dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { showLanguage } from '../../../base/state/texts.ts'
import { SettingsNav } from './SettingsNav.tsx'

function Page() {
  const root = useRef<HTMLDivElement>(null)
  return (
    <div ref={root}>
      <SettingsNav root={root} />
      <section data-section="site">
        <div data-field="site_name">
          <input aria-label="Name of the site" />
        </div>
      </section>
      <Link to="#site_name">Go</Link>
    </div>
  )
}

beforeEach(() => showLanguage('en-US'))
afterEach(cleanup)

test('a link to a setting leads to it each time', async () => {
  Element.prototype.scrollIntoView ??= () => undefined
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  )
  const field = screen.getByRole('textbox', { name: 'Name of the site' })
  for (const _press of [1, 2]) {
    const link = screen.getByRole('link', { name: 'Go' })
    link.focus()
    link.click()
    await waitFor(() => expect(document.activeElement).toBe(field))
  }
})
