import { setting } from '@qd/core/resources'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { navigate, setNavigate } from '../../act/places/navigate.ts'
import { isFormOpen } from '../../base/state/form-leaving.ts'
import { showLanguage } from '../../base/state/texts.ts'
import { InlineForm } from './InlineForm.tsx'

beforeAll(() => showLanguage('en-US'))
afterEach(cleanup)

const warns = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('issue 36.32 settings ask before a link, a key or a reload takes what was typed', async () => {
  const router = vi.fn()
  setNavigate(router as never)
  const row = setting.read.parse(setting.wire.decode({ config: { site_name: 'Fleet' } }))
  render(
    <>
      <a href="/dashboard/service">Services</a>
      <InlineForm resource={setting} row={row} />
    </>,
  )
  expect(warns()).toBe(false)
  const name = screen.getByRole('textbox', { name: /Site name/i })
  fireEvent.change(name, { target: { value: 'Harbor' } })
  expect([warns(), isFormOpen()]).toEqual([true, true])
  const question = () => screen.findByRole('alertdialog')
  for (const leave of [() => navigate('/dashboard'), () => void fireEvent.click(screen.getByText('Services'))]) {
    leave()
    await question()
    fireEvent.click(screen.getByRole('button', { name: /Keep editing/ }))
    await vi.waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull(), 30_000)
    expect(router).not.toHaveBeenCalled()
    expect(name).toHaveProperty('value', 'Harbor')
  }
  fireEvent.click(screen.getByText('Services'))
  fireEvent.click(within(await question()).getByRole('button', { name: /Discard/ }))
  await vi.waitFor(() => expect(router).toHaveBeenCalledWith('/dashboard/service', { replace: false }), 30_000)
  expect([warns(), isFormOpen()]).toEqual([false, false])
})
