import { alertRule, notification } from '@qd/core/resources'
import { act, cleanup, render } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import { setNavigate } from '../../act/places/navigate.ts'
import { session } from '../../base/state/stores.ts'
import { loadAllTexts, showLanguage } from '../../base/state/texts.ts'
import { FamilyTabs, useFamilyKeys } from './FamilyTabs.tsx'

beforeAll(async () => {
  await showLanguage('en-US')
  await loadAllTexts()
  act(() => session.state$.profile.set({ id: 1, username: 'admin', role: 0 } as never))
})

afterEach(() => {
  cleanup()
  history.pushState(null, '', '/')
})

function Page() {
  useFamilyKeys(notification)
  return <FamilyTabs resource={notification} />
}

test('] and [ right after each other lead back, though no page was drawn between them', () => {
  const went: string[] = []
  // The router's address is there at once, its page a moment later.
  setNavigate(((to: string) => {
    went.push(to)
    history.pushState(null, '', to)
  }) as Parameters<typeof setNavigate>[0])
  history.pushState(null, '', notification.path)
  render(
    <MemoryRouter>
      <Page />
    </MemoryRouter>,
  )
  runCommand('nextTab')
  runCommand('previousTab')
  runCommand('nextTab')
  expect(went).toEqual([went[0], notification.path, went[0]])
  expect(went[0]).toBe(alertRule.path)
})
