import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { showLanguage } from '../../base/state/texts.ts'
import { DaysValue } from './DaysValue.tsx'

afterEach(cleanup)

test('only of a whole day the time down is said: not of today, nor of the first with data', async () => {
  await showLanguage('en-US')
  render(<DaysValue percents={[-1, 50, 50, 100, 50]} />)
  const titles = [...screen.getByRole('img').children].map((bar) => bar.getAttribute('title') ?? '')
  expect(titles.map((title) => title.includes('12 h'))).toEqual([false, false, true, false, false])
  expect(titles.map((title) => title.includes('50%'))).toEqual([false, true, true, false, true])
})
