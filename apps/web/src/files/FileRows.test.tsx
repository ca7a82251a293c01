import { createFileController, type FileEntry, type FileSession } from '@qd/core/files'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../base/state/texts.ts'
import { FileRows } from './FileRows.tsx'
import type { FileManager } from './file-manager.ts'

afterEach(cleanup)

const count = 50_000

test('W-22: of 50,000 entries only those in sight are drawn; the list keeps the focus and names its row', async () => {
  const entries = Array.from({ length: count }, (_, index): FileEntry => ({ name: `file-${index}.log`, kind: 'file' }))
  const session = {
    abilities: async () => new Set(),
    list: async () => ({ path: '/var/log', entries, isElsewhere: false, isCut: false }),
  } as unknown as FileSession
  const remembered = { read: () => undefined, write: () => undefined }
  const controller = createFileController({ session, server: 1, remembered, now: () => 0 })
  const download = vi.fn()
  await showLanguage('en-US')
  await controller.browser.go('')
  render(<FileRows manager={{ controller, download } as unknown as FileManager} list={createRef<HTMLDivElement>()} />)
  const list = screen.getByRole('grid')
  expect(list.getAttribute('aria-rowcount')).toBe(String(count))
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
  expect(list.getAttribute('aria-activedescendant')).toBe('file-0')
  act(() => controller.browser.moveTo(5))
  expect(document.getElementById(list.getAttribute('aria-activedescendant')!)?.textContent).toContain('file-5.log')
  act(() => controller.browser.setFilter('49999'))
  expect(screen.getAllByRole('row')).toHaveLength(1)
  screen.getByRole('button', { name: 'Download file-49999.log' }).click()
  expect(download).toHaveBeenCalledWith([expect.objectContaining({ name: 'file-49999.log' })])
})
