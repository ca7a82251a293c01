import { filesystem } from '@qd/core/resources'
import { collectCommandOf } from '@qd/protocol/collectors'
import { expect, test } from 'vitest'
import { answerFilesystems } from './filesystems.ts'
import { createMachines, full } from './machines.ts'

const parse = await filesystem.host!.parser()

test('file systems of simulated servers add up to the disk that they report', () => {
  const at = Date.parse('2026-11-26T12:00:00Z')
  const machines = createMachines(at)
  const rowsOf = (machine: (typeof machines)[number]) => {
    const parsed = parse(answerFilesystems(machine, collectCommandOf('filesystems'), at) ?? '')
    if (parsed.state !== 'read') throw new Error(parsed.state)
    return parsed.rows
  }
  for (const machine of machines) {
    const rows = rowsOf(machine)
    const sum = (field: string) =>
      rows.filter(({ type }) => type !== 'tmpfs').reduce((all, row) => all + Number(row[field]), 0)
    expect(Math.abs(sum('used_bytes') - machine.sampleAt(at).disk_used)).toBeLessThan(4096 * rows.length)
    expect(Math.abs(sum('size') - machine.host.disk_total)).toBeLessThan(4096 * rows.length)
    for (const { used, state } of rows) expect(state === 'silent' || (used as number) < 100).toBe(true)
  }
  const backup = rowsOf(machines.find(({ name }) => name === full)!)
  expect(backup.find(({ name }) => name === '/srv/backup')?.used).toBeGreaterThan(93)
  expect(machines.flatMap(rowsOf).some(({ state }) => state === 'silent')).toBe(true)
  expect(machines.flatMap(rowsOf).some(({ health }) => health === 'failing')).toBe(true)
  expect(answerFilesystems(machines[0]!, 'df', at)).toBeNull()
})
