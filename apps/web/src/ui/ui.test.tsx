import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Identicon } from '../shell/screens/frame/Avatar.tsx'
import { Button, IconButton } from './Button.tsx'
import { Meter } from './drawings/Meter.tsx'
import { Checkbox } from './inputs/Checkbox.tsx'
import { Input } from './inputs/Input.tsx'
import { Segmented, Switch } from './inputs/Toggle.tsx'
import { ResultWord, StateMark } from './StateMark.tsx'
import { RemovableTag } from './Tags.tsx'

afterEach(cleanup)

test('a button that cannot be used says why and does nothing', async () => {
  const press = vi.fn()
  render(
    <Button reason="needs an alert" onPress={press}>
      Run
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Run' })
  await userEvent.click(button)
  expect(press).not.toHaveBeenCalled()
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.title).toBe('needs an alert')
})

test('Enter that is held presses a button once, and what the button is in hears nothing of it', () => {
  const around = vi.fn()
  render(
    // biome-ignore lint/a11y: a form stands in for whatever is around
    <div onKeyDown={around}>
      <Button>Run</Button>
    </div>,
  )
  const button = screen.getByRole('button', { name: 'Run' })
  expect(fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
  expect(fireEvent.keyDown(button, { key: 'ArrowDown', repeat: true })).toBe(true)
  expect(around).toHaveBeenCalledOnce()
})

test('a button whose work is under way sends no form and does nothing', async () => {
  const press = vi.fn()
  render(
    <Button type="submit" isPending onPress={press}>
      Save
    </Button>,
  )
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  await userEvent.click(button)
  expect([press.mock.calls.length, button.type, button.getAttribute('aria-disabled')]).toEqual([0, 'button', 'true'])
})

test('a button that is only an icon is named, and its title says the key', () => {
  render(<IconButton label="Next" icon="arrow-down" caps={['j']} />)
  expect(screen.getByRole('button', { name: 'Next' }).title).toBe('Next (j)')
})

test('keycaps are not read out', () => {
  render(<Button caps={['c']}>New</Button>)
  expect(screen.getByRole('button', { name: 'New' })).toBeTruthy()
})

test('P-36 an error is linked to its input', () => {
  render(<Input label="Name" error="Too short" value="" onChange={() => undefined} />)
  const input = screen.getByLabelText('Name')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toContain('Too short')
})

test('a state is told by its word, or stands beside it in silence', () => {
  render(<StateMark tone="bad" label="offline" />)
  render(<StateMark tone="ok" label="online" decorative />)
  expect(screen.getByRole('img', { name: 'offline' }).title).toBe('offline')
  expect(screen.queryByRole('img', { name: 'online' })).toBeNull()
})

test('a result has its word beside the icon', () => {
  render(<ResultWord tone="bad" text="failure, exit 2" />)
  expect(screen.getByText('failure, exit 2')).toBeTruthy()
})

test('a meter fills at most its track and shows the number', () => {
  const { container } = render(<Meter fraction={140} text="140" tone="bad" />)
  expect(container.querySelector('[aria-hidden]')?.getAttribute('style')).toContain('--filled: 100')
  expect(screen.getByText('140')).toBeTruthy()
})

test('a check box is named, says mixed, and does not press what lies below', async () => {
  const below = vi.fn()
  const changed = vi.fn()
  render(
    // biome-ignore lint/a11y: a row of a list stands in for whatever lies below
    <div onClick={below}>
      <Checkbox label="Select all" value={false} isMixed onChange={changed} />
    </div>,
  )
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' })
  expect(box.indeterminate).toBe(true)
  await userEvent.click(box)
  expect(changed).toHaveBeenCalledOnce()
  expect(below).not.toHaveBeenCalled()
})

test('chips can be taken away by name', async () => {
  const remove = vi.fn()
  render(<RemovableTag text="web-3" label="Remove web-3" onRemove={remove} />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove web-3' }))
  expect(remove).toHaveBeenCalledOnce()
})

function Choices() {
  const [value, setValue] = useState('a')
  const [isOn, setOn] = useState(false)
  return (
    <>
      <Segmented
        label="Kind"
        options={[
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ]}
        value={value}
        onChange={setValue}
      />
      <Switch label="Hidden" help="Visitors do not see it" value={isOn} onChange={setOn} />
    </>
  )
}

test('a segmented control and a switch change by keyboard', async () => {
  render(<Choices />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'B' }).checked).toBe(true)
  await userEvent.tab()
  await userEvent.keyboard(' ')
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Hidden' }).checked).toBe(true)
})

test('the same name always draws the same picture, another one another', () => {
  const drawn = (name: string) =>
    render(<Identicon name={name} />)
      .container.querySelector('path')
      ?.getAttribute('d')
  expect(drawn('admin')).toBe(drawn('admin'))
  expect(drawn('admin')).not.toBe(drawn('ada'))
})
