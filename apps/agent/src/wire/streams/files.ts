import { ProtocolError } from '@qd/protocol/bytes'
import {
  filePieceBytes,
  parseFileRequest,
  toAnswerFrame,
  toDownloadHeader,
  toFileError,
  toListingFrame,
  uploadedFrame,
} from '@qd/protocol/files'
import { openSource } from '../../machine/files/checks.ts'
import type { MachineFiles } from '../../machine/files/machine-files.ts'
import { createReceiver, type ReceiverOptions } from '../../machine/files/receiver.ts'
import { codeOf, Refusal, toWords } from '../../machine/files/words.ts'
import type { Machine } from '../../machine/machine.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from './relay.ts'

interface Session {
  files: MachineFiles
  machine: Machine
  relay: Relay
}

/** Lists a folder, or the home folder if it is unreadable, as the answer’s path shows. A hanging folder is an error (agent contract 6.3). */
const list = async ({ files, relay }: Session, path: string): Promise<void> => {
  const read = async () =>
    files.names(path).catch((error) => {
      if (codeOf(error) === 'ENORESPONSE') throw new Error(`open ${path}: ${toWords(error)}`)
      return undefined
    })
  const names = path === '' ? undefined : await read()
  if (names) return void relay.send(toListingFrame(path, names))
  const home = files.home()
  if (home === undefined) throw new Error('the home folder of this user is unknown')
  relay.send(
    toListingFrame(home.endsWith(files.separator) ? home : `${home}${files.separator}`, await files.names(home)),
  )
}

/** Pieces are exactly 1 MiB except the last, so that errors differ from data. */
const sendFile = async (
  { files, relay }: Session,
  path: string,
  ours?: { offset: number; length: number },
): Promise<void> => {
  const file = await openSource(files, path).catch((error) => {
    if (codeOf(error) === 'EISDIR') throw new Error(`read ${path}: is a directory`)
    if (error instanceof Refusal) throw new Error(`open ${path}: ${error.message}`)
    throw new Error(`open download file: ${toWords(error)}`)
  })
  const { size } = file
  try {
    if (size === 0 && !ours) throw new Error('requested file is empty')
    const { offset, length } = ours ?? { offset: 0, length: size }
    const end = Math.min(size, offset + length)
    if (ours) relay.send(toAnswerFrame({ size }))
    relay.send(toDownloadHeader(Math.max(0, end - offset)))
    const lengthAt = (at: number) => Math.max(0, Math.min(filePieceBytes, end - at))
    // Reads ahead; errors wait for their turn.
    const read = (at: number) => file.read(at, lengthAt(at)).catch(toWords)
    for (let at = offset, ahead = read(at); at < end && !relay.over.aborted; ) {
      const bytes = await ahead
      if (typeof bytes === 'string') throw new Error(`read ${path}: ${bytes}`)
      const wanted = lengthAt(at)
      if (bytes.length < wanted) return void relay.send(unlike(wanted, `read ${path}: the file became shorter`))
      at += bytes.length
      ahead = read(at)
      if (!relay.send(bytes)) await relay.drained()
    }
  } finally {
    await file.close()
  }
}

/** An error must not have the length of the expected piece. */
const unlike = (length: number, text: string): Uint8Array => {
  const frame = toFileError(text)
  return frame.length === length ? toFileError(`${text} `) : frame
}

/** After an error, the next message is a request again, as in Nezha. */
const receive = async (
  { machine, relay }: Session,
  path: string,
  options: ReceiverOptions & { ours: boolean },
): Promise<void> => {
  const receiver = await createReceiver(machine, path, options).catch((error) => {
    throw new Error(`open ${path}: ${toWords(error)}`)
  })
  if (options.ours) relay.send(toAnswerFrame({ offset: receiver.offset }))
  try {
    for (let left = options.size - receiver.offset; left > 0; ) {
      const step = await relay.messages.next()
      if (step.done) return await receiver.stop()
      left -= step.value.length
      await receiver.add(step.value)
    }
    const sha256 = Buffer.from(await receiver.finish()).toString('hex')
    relay.send(options.ours ? toAnswerFrame({ size: options.size, sha256 }) : uploadedFrame)
  } catch (error) {
    await receiver.stop()
    throw new Error(`write ${path}: ${toWords(error)}`)
  }
}

/** Our server’s requests (docs/reference/files.md). */
const more = async (session: Session, request: unknown): Promise<void> => {
  const { files, relay } = session
  const { op, path, to, size, offset, length, resume } = request as Readonly<Record<string, unknown>>
  const text = (value: unknown): string => {
    if (typeof value !== 'string' || value === '') throw new Error('path required')
    return value
  }
  const count = (value: unknown, fallback: number): number =>
    Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : fallback
  if (op === 'download') {
    const range = { offset: count(offset, 0), length: count(length, Number.MAX_SAFE_INTEGER) }
    return sendFile(session, text(path), range)
  }
  if (op === 'upload') {
    const options = { size: count(size, 0), resume: resume === true, keeps: true, ours: true }
    return receive(session, text(path), options)
  }
  if (op === 'folder') {
    await files.makeFolder(text(path)).catch(async (error) => {
      const there = codeOf(error) === 'EEXIST' ? await files.status(text(path), { follow: true }) : undefined
      if (there?.kind !== 'dir') throw new Error(`mkdir ${path}: ${toWords(error)}`)
    })
  } else if (op === 'rename') {
    const isThere = await files.status(text(to)).then(
      () => true,
      () => false,
    )
    if (isThere) throw new Error(`rename ${path} ${to}: file exists`)
    await files.rename(text(path), text(to)).catch((error) => {
      throw new Error(`rename ${path} ${to}: ${toWords(error)}`)
    })
  } else throw new Error(`unknown op: ${String(op)}`)
  relay.send(toAnswerFrame({}))
}

/** Longer messages belong to a failed upload. */
const maxRequestBytes = 16 * 1024

const answer = async (session: Session, message: Uint8Array): Promise<void> => {
  if (message.length > maxRequestBytes) return
  const request = parseFileRequest(message)
  if (request?.kind === 'list') await list(session, request.path)
  else if (request?.kind === 'download') await sendFile(session, request.path)
  else if (request?.kind === 'upload')
    await receive(session, request.path, { size: request.size, resume: false, keeps: false, ours: false })
  else if (request) await more(session, request.request)
}

/** Task 11: files over a relayed stream, in order (agent contract 6, docs/reference/files.md). */
export const createFilesHandler =
  (machine: Machine, timing: RelayTiming): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
    void relay.keepAlive()
    const session = { files: machine.fileSystem, machine, relay }
    for (let step = await relay.messages.next(); !step.done; step = await relay.messages.next()) {
      await answer(session, step.value).catch((error) => {
        relay.send(toFileError(error instanceof ProtocolError ? 'data is invalid' : toReason(error)))
      })
    }
    await relay.end()
  }
