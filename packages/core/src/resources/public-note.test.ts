import { expect, test, vi } from 'vitest'
import { serverRow } from '../../../../tests/support/core/rows.ts'
import type { ActionContext } from '../define/index.ts'
import { emptyPlan } from '../fields/index.ts'
import { server } from './server.ts'

const action = server.actions['public-note']
const context = () => ({ api: { send: vi.fn(async () => null) } }) as unknown as ActionContext

test('N-24 the form starts with the plan of the note', async () => {
  const row = { ...serverRow({ id: 7 }), public_note: '{"billingDataMod":{"amount":"5 EUR"}}' }
  expect(await action.args!.start(context(), [row])).toEqual({ ...emptyPlan, amount: '5 EUR' })
  const words = { ...row, public_note: 'Hosted by us, ask Kim' }
  expect(await action.args!.start(context(), [words])).toEqual({ ...emptyPlan, extra: ['Hosted by us', 'ask Kim'] })
  // Issue 36.39: every separator that our keyboards type.
  const chinese = { ...row, public_note: '双线、不限流量；续费请联系' }
  const extra = ['双线', '不限流量', '续费请联系']
  expect(await action.args!.start(context(), [chinese])).toEqual({ ...emptyPlan, extra })
})

test('the record is saved whole with its new note, refused if somebody changed it meanwhile', async () => {
  const row = { ...serverRow({ id: 7, name: 'web-1' }), public_note: '', updated_at: '2026-11-01T00:00:00Z' }
  const sent = context()
  await action.run(sent, [row], { ...emptyPlan, bandwidth: '1 Gbps' })
  expect(sent.api.send).toHaveBeenCalledWith(
    expect.objectContaining({ method: 'PATCH', path: 'server/7', ifMatch: '2026-11-01T00:00:00Z' }),
  )
  const [{ body }] = vi.mocked(sent.api.send).mock.calls[0] as [{ body: Record<string, unknown> }]
  expect(Object.keys(body).sort()).toEqual(Object.keys(server.input.shape).sort())
  expect(JSON.parse(String(body.public_note))).toEqual({ billingDataMod: {}, planDataMod: { bandwidth: '1 Gbps' } })
})
