import { toBytes } from '@qd/protocol/bytes'
import { filePieceBytes } from '@qd/protocol/files'
import { type RefusalCode, refusals } from '@qd/protocol/refusals'
import {
  demandMatch,
  demandPath,
  demandRegular,
  makeParents,
  openSource,
  parseMode,
} from '../../machine/files/checks.ts'
import type { MachineFiles } from '../../machine/files/machine-files.ts'
import { createReceiver } from '../../machine/files/receiver.ts'
import { Refusal, toFixedText } from '../../machine/files/words.ts'
import type { Machine } from '../../machine/machine.ts'
import type { TaskHandler } from '../runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from './relay.ts'

const capBytes = 100 * 1024 * 1024
const noHash = new Uint8Array(32)

interface TransferTask {
  op?: string
  path?: string
  size?: number
  mode?: string
  create_dirs?: boolean
  if_match_sha256?: string
  expected_sha256?: string
}

const download = async (files: MachineFiles, relay: Relay, task: TransferTask): Promise<void> => {
  const path = demandPath(task.path, files)
  await demandRegular(files, path)
  const file = await openSource(files, path)
  const { size } = file
  try {
    if (size > capBytes) throw new Refusal('file exceeds MCP transfer cap (100MiB)')
    relay.send(toBytes('NZTD', { u64: BigInt(size) }, noHash))
    const hash = files.checksum()
    for (let at = 0; at < size && !relay.over.aborted; ) {
      const wanted = Math.min(filePieceBytes, size - at)
      const bytes = await file.read(at, wanted)
      if (bytes.length < wanted) throw new Refusal('source truncated mid-transfer')
      hash.add(bytes)
      at += bytes.length
      if (!relay.send(toBytes('NZTC', { u64: BigInt(bytes.length) }, bytes))) await relay.drained()
    }
    relay.send(toBytes('NZTO', { u64: BigInt(size) }, hash.bytes()))
  } finally {
    await file.close()
  }
}

const upload = async (machine: Machine, relay: Relay, task: TransferTask): Promise<void> => {
  const files = machine.fileSystem
  const path = demandPath(task.path, files)
  const size = task.size ?? 0
  if (!Number.isSafeInteger(size) || size < 0 || size > capBytes)
    throw new Refusal('size out of range: must be 0..100MiB')
  const mode = parseMode(task.mode)
  await demandMatch(files, path, task.if_match_sha256)
  if (task.create_dirs) await makeParents(files, path)
  const receiver = await createReceiver(machine, path, { size, resume: false, keeps: false, mode })
  const sum = files.checksum()
  try {
    relay.send(toBytes('NZTU', { u64: BigInt(size) }))
    for (let left = size; left > 0; ) {
      const step = await relay.messages.next()
      if (step.done) return await receiver.stop()
      if (step.value.length > left) throw new Refusal('more data than declared')
      await receiver.add(step.value)
      sum.add(step.value)
      left -= step.value.length
    }
    const sha256 = sum.bytes()
    const expected = task.expected_sha256?.toLowerCase()
    if (expected && Buffer.from(sha256).toString('hex') !== expected) throw new Refusal('sha256 mismatch')
    await receiver.finish()
    relay.send(toBytes('NZTO', { u64: BigInt(size) }, sha256))
  } catch (error) {
    await receiver.stop()
    throw error
  }
}

/** Task 20: one file of at most 100 MiB (agent contract 11). */
export const createTransferHandler =
  (machine: Machine, timing: RelayTiming, { refused }: { refused: () => RefusalCode | null }): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data, 'stream_id'), timing)
    void relay.keepAlive()
    const fields = JSON.parse(task.data) as TransferTask
    try {
      const code = refused()
      if (code) throw new Refusal(refusals[code])
      if (fields.op === 'download') await download(machine.fileSystem, relay, fields)
      else if (fields.op === 'upload') await upload(machine, relay, fields)
      else throw new Refusal(`unknown op: ${String(fields.op ?? '').slice(0, 20)}`)
    } catch (error) {
      relay.send(toBytes('NZTE', toFixedText(error)))
    }
    await relay.end()
  }
