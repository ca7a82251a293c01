import { audit, onlineUser, user } from '@qd/core/resources'
import { act, cleanup, render } from '@testing-library/react'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom'
import { afterEach, expect, test } from 'vitest'
import { session } from '../../base/state/stores.ts'
import { ListPage } from './ResourceList.tsx'

afterEach(cleanup)

function Place() {
  return <p>{useLocation().pathname}</p>
}

test.each([user, audit])('issue 36.35 a member at the page of $name is sent to online users', (resource) => {
  act(() => session.state$.profile.set({ id: 2, username: 'kim', role: 1 } as never))
  const { container } = render(
    <MemoryRouter initialEntries={[resource.path]}>
      <Routes>
        <Route path={resource.path} element={<ListPage resource={resource} />} />
        <Route path="*" element={<Place />} />
      </Routes>
    </MemoryRouter>,
  )
  expect(container.textContent).toBe(onlineUser.path)
})
