import { cron, TaskCover, TaskType } from '@qd/core/resources'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showLanguage } from '../../base/state/texts.ts'
import * as textRules from '../fields/inputs/input.ts'
import { ConflictNote, FormFields } from './FormFields.tsx'
import { type FormStart, useForm } from './form-state.ts'

const task = cron.read.parse({
  id: 7,
  name: 'backup',
  command: 'true',
  scheduler: '0 0 3 * * *',
  cover: TaskCover.allExcept,
  updated_at: '2026-11-01T00:00:00Z',
})
const requests: { method: string; body: unknown }[] = []
let answers: (() => unknown)[] = []
let theirs: object = task

beforeEach(async () => {
  await showLanguage('en-US')
  requests.length = 0
  answers = []
  theirs = task
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET', body }: RequestInit) => {
    requests.push({ method, body: typeof body === 'string' ? JSON.parse(body) : undefined })
    const answer = method === 'PATCH' || method === 'POST' ? answers.shift()?.() : { success: true, data: [theirs] }
    return new Response(JSON.stringify(answer), { status: 200, headers: { 'Content-Type': 'application/json' } })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Form({ start, onSaved }: { start: FormStart; onSaved: (id: number | null) => void }) {
  const state = useForm(start, onSaved)
  return (
    <>
      <FormFields state={state}>
        <ConflictNote state={state} />
      </FormFields>
      <button type="button" onClick={() => void state.save()}>
        {'Save'}
      </button>
    </>
  )
}

function open(mode: FormStart['mode']) {
  const onSaved = vi.fn()
  render(<Form start={{ resource: cron, mode, row: mode === 'create' ? null : task }} onSaved={onSaved} />)
  return { onSaved, user: userEvent.setup() }
}
const save = () => screen.getByRole('button', { name: 'Save' })
const sent = () => requests.filter(({ method }) => method !== 'GET')

test('P-36: the first wrong field gets the focus and its problem is linked to it', async () => {
  const { user, onSaved } = open('create')
  await user.click(save())
  const name = screen.getByLabelText('Name')
  expect(document.activeElement).toBe(name)
  expect(name.getAttribute('aria-invalid')).toBe('true')
  const note = document.getElementById(name.getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe('Required')
  expect([sent(), onSaved.mock.calls]).toEqual([[], []])
})

test('fields come and go with their conditions', async () => {
  const { user } = open('edit')
  expect(screen.getByLabelText('Schedule')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Triggered' }))
  expect(screen.queryByLabelText('Schedule')).toBeNull()
})

test('what is wrong with a schedule is said while it is typed', async () => {
  const { user } = open('create')
  const schedule = screen.getByLabelText('Schedule')
  await user.type(schedule, '0 0 3 * *')
  const said = () => document.getElementById(schedule.getAttribute('aria-describedby') ?? '')?.textContent
  expect(said()).toContain('The seconds field is missing; use 0 0 0 3 * *')
  await user.type(schedule, ' *')
  expect(said()).toContain('@every 5m')
})

test('N-18: saved, then saved again with another change', async () => {
  const { user, onSaved } = open('edit')
  answers = [() => ({ success: true }), () => ({ success: true })]
  await user.type(screen.getByLabelText('Name'), ' 2')
  await user.click(save())
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  await user.type(screen.getByLabelText('Name'), '3')
  await user.click(save())
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(2))
  expect(sent().map(({ body }) => (body as { name: string }).name)).toEqual(['backup 2', 'backup 23'])
  expect(sent()[0]?.body).toMatchObject({ task_type: TaskType.scheduled, cover: TaskCover.allExcept })
})

test('a problem that the server finds lands on its field, and everything typed stays', async () => {
  const { user, onSaved } = open('edit')
  answers = [
    () => ({
      success: false,
      error: 'name is taken',
      code: 'invalid',
      problems: [{ field: 'name', code: 'mismatch' }],
    }),
  ]
  await user.type(screen.getByLabelText('Name'), ' 2')
  await user.click(save())
  const name = screen.getByLabelText<HTMLInputElement>('Name')
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
  expect([name.value, document.activeElement, onSaved.mock.calls]).toEqual(['backup 2', name, []])
  await act(() => user.type(name, '!'))
  expect(name.getAttribute('aria-invalid')).toBeNull()
})

test('somebody else was faster: the form says what they changed', async () => {
  const { user, onSaved } = open('edit')
  answers = [() => ({ success: false, error: 'changed', code: 'conflict' })]
  theirs = { ...task, command: 'false', updated_at: '2026-11-02T00:00:00Z' }
  await user.type(screen.getByLabelText('Name'), ' 2')
  await user.click(save())
  await waitFor(() => expect(screen.getByText('They changed: Command')).toBeTruthy())
  answers = [() => ({ success: true })]
  await user.click(screen.getByRole('button', { name: 'Overwrite with mine' }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  expect(sent().at(-1)?.body).toMatchObject({ name: 'backup 2', command: 'true' })
})

test('issue 10.2: a part of a form that breaks takes nothing with it: the other fields keep what was typed and it is saved', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let isBroken = false
  const drawn = vi.spyOn(textRules, 'rowsOf').mockImplementation(() => {
    if (isBroken) throw new TypeError('no such thing')
    return 3
  })
  const { user, onSaved } = open('edit')
  answers = [() => ({ success: true })]
  isBroken = true
  await user.type(screen.getByLabelText('Name'), ' 2')
  expect(screen.getByRole('alert').textContent).toContain('TypeError: no such thing')
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('backup 2')
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Command').value).toBe('true')
  await user.click(save())
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  expect(sent()[0]?.body).toMatchObject({ name: 'backup 2', command: 'true' })
  drawn.mockRestore()
})
